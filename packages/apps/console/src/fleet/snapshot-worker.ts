import { parseServiceLines, parseSnapshot } from './parse-snapshot.ts';
import { buffersOf, type ParseRequest, type ParseResponse } from './snapshot-messages.ts';

/** Reads responses apart from the page, so that ten thousand hosts delay no click. */
addEventListener('message', ({ data }: MessageEvent<ParseRequest>) => {
  let response: ParseResponse;
  try {
    const text = new TextDecoder().decode(data.body);
    const part =
      data.services === null
        ? parseSnapshot(text)
        : parseServiceLines(text, data.services.asOf, data.services.tags);
    response = { id: data.id, part };
    postMessage(response, { transfer: buffersOf(part) });
  } catch (error) {
    response = { id: data.id, error: String(error) };
    postMessage(response);
  }
});
