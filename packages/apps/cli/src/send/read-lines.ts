import { UsageError } from '@tidewatch/runtime/command-line/usage-error';

/** The max length of a line; the service accepts no payload as long. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * Yields the lines of a stream, which is read only as fast as they are used. Throws UsageError for input that is not UTF-8.
 */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decode(decoder, chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new UsageError('a line is longer than 16 MiB: write one payload per line');
    yield* lines;
  }
  rest += decode(decoder);
  if (rest !== '') yield rest;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array | string): string {
  if (typeof chunk === 'string') return chunk;
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new UsageError('the input is not UTF-8 text');
  }
}
