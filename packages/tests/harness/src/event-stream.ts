import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** An event of a `text/event-stream`: the fields of a block of lines with data. */
export interface StreamedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is what is tested.
  data: any;
  /** The time at which the event arrived, ms since the epoch. */
  at: number;
}

/** A reader of server-sent events that behaves as a browser does. */
export interface EventStream {
  status: number;
  headers: IncomingMessage['headers'];
  events: StreamedEvent[];
  /** The number of received comments. */
  comments(): number;
  /** The id to send when reconnecting. */
  lastId(): string;
  /** The delay before a reconnect, ms; null without one. */
  retryMs(): number | null;
  ended(): boolean;
  /** The whole body, if the response was no stream. */
  body(): string;
  /** Stop and continue reading. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface StreamOptions {
  key: string;
  lastEventId?: string;
}

/** Opens `url` and reads until the stream ends or is closed. Resolves with the head of the response. */
export async function openEventStream(
  url: string,
  { key, lastEventId }: StreamOptions,
): Promise<EventStream> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const request: ClientRequest = send(url, {
    agent: false,
    headers: {
      'X-API-Key': key,
      Accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  const events: StreamedEvent[] = [];
  const state = { comments: 0, lastId: lastEventId ?? '', retryMs: null as number | null, ended: false };
  let text = '';
  let block: Record<string, string> = {};

  function take(line: string): void {
    if (line === '') {
      if (block.id !== undefined) state.lastId = block.id;
      if (block.data !== undefined)
        events.push({
          id: state.lastId,
          event: block.event ?? 'message',
          data: JSON.parse(block.data),
          at: Date.now(),
        });
      block = {};
      return;
    }
    const colon = line.indexOf(':');
    const [field, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    if (field === '') state.comments += 1;
    else if (field === 'retry') state.retryMs = Number(value);
    else block[field] = field === 'data' && block.data !== undefined ? `${block.data}\n${value}` : value;
  }

  response.setEncoding('utf8');
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  response.on('data', (chunk: string) => {
    text += chunk;
    if (!isStream) return;
    const lines = text.split('\n');
    text = lines.pop() as string;
    for (const line of lines) take(line);
  });
  const end = () => {
    state.ended = true;
  };
  response.once('end', end).once('error', end).once('close', end);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments: () => state.comments,
    lastId: () => state.lastId,
    retryMs: () => state.retryMs,
    ended: () => state.ended,
    body: () => text,
    pause: () => response.pause(),
    resume: () => response.resume(),
    close: () => request.destroy(),
  };
}
