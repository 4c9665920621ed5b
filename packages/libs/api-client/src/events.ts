import { createParser } from 'eventsource-parser';
import type { TidewatchClient } from './client.ts';
import type { components } from './generated/api.ts';
import { ApiProblem, problemOf, UnreachableError, unreachable } from './problem.ts';
import { backoffMs } from './retry.ts';
import { sleep } from './sleep.ts';

export type Event = components['schemas']['Event'];

export interface EventsOptions {
  /** Query of the stream, such as `{ types: 'alert.fired,alert.resolved' }`. */
  query?: Readonly<Record<string, string>>;
  /** Id of the last event that was received: the stream begins after it. */
  after?: string;
  signal?: AbortSignal;
  /** The silence after which a connection counts as lost, ms. The server writes at least every 15 s. */
  silenceMs?: number;
  /** Bounds the random part of the time between two attempts, ms. Default: 10 s. */
  maxBackoffMs?: number;
  watcher?: EventsWatcher;
  random?: () => number;
}

/** What happens between events, for clients that show how fresh their data are. */
export interface EventsWatcher {
  /** Called when bytes of the stream were received, also those of a comment. */
  received?(): void;
  /** Called with the newest id received, after which the stream continues: of an event, or of a block without an event. */
  position?(id: string): void;
  /** The connection was lost or refused; the next attempt follows after `waitMs`. */
  lost?(waitMs: number): void;
}

/**
 * An event; a note that the stream is open; or a note that events may have been missed, after which a client that keeps a
 * copy of the state must read it again.
 */
export type StreamItem = { kind: 'event'; event: Event } | { kind: 'open' } | { kind: 'reset' };

const MAX_BACKOFF_MS = 10_000;

interface Position {
  lastId: string | undefined;
  retryMs: number;
}

/**
 * Yields the events of the organization, and reconnects after the last one whenever the connection is lost.
 * Ends with `signal`; throws ApiProblem where the server refuses permanently (a revoked key, no such path).
 */
export async function* events(
  client: TidewatchClient,
  options: EventsOptions = {},
): AsyncGenerator<StreamItem, void> {
  const { signal = new AbortController().signal, random = Math.random } = options;
  const position: Position = { lastId: options.after, retryMs: 0 };
  let failures = 0;
  let opened = false;
  while (!signal.aborted) {
    try {
      for await (const item of connection(client, options, position, signal)) {
        // Without the id of a last event, a new connection starts at the present: events may have been missed.
        if (item.kind === 'open' && opened && position.lastId === undefined) yield { kind: 'reset' };
        opened = true;
        failures = 0;
        yield item;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiProblem && !isPassing(error)) throw error;
      failures += 1;
      if (error instanceof ApiProblem) position.retryMs = Math.max(position.retryMs, error.retryAfterMs ?? 0);
    }
    const wait =
      position.retryMs + Math.min(backoffMs(failures, random()), options.maxBackoffMs ?? MAX_BACKOFF_MS);
    options.watcher?.lost?.(wait);
    await sleep(wait, signal).catch(() => undefined);
  }
}

function isPassing({ status }: ApiProblem): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Yields the items of one connection, from its opening to its end. */
async function* connection(
  client: TidewatchClient,
  options: EventsOptions,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  const silence = watchSilence(options.silenceMs ?? 45_000);
  try {
    const body = await open(client, options, position.lastId, AbortSignal.any([signal, silence.signal]));
    yield { kind: 'open' };
    const received: { id?: string | undefined; item?: StreamItem }[] = [];
    const parser = createParser({
      onRetry: (ms) => {
        position.retryMs = Math.min(ms, 60_000);
      },
      // Called before `onEvent` of the same block. A block without an event only reports the position of the stream.
      onId: (id) => received.push({ id }),
      onEvent: ({ event, data }) =>
        received.push({
          item: event === 'reset' ? { kind: 'reset' } : { kind: 'event', event: JSON.parse(data) as Event },
        }),
    });
    // Each piece is yielded whole before the next is read, so that the position never passes events that were not yielded.
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      silence.received();
      options.watcher?.received?.();
      parser.feed(text);
      for (const { id, item } of received.splice(0)) {
        if (id) {
          position.lastId = id;
          options.watcher?.position?.(id);
        }
        if (item) yield item;
      }
    }
  } finally {
    silence.stop();
  }
}

async function open(
  client: TidewatchClient,
  options: EventsOptions,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<NonNullable<Response['body']>> {
  const url = `${client.url}/api/v1/events?${new URLSearchParams(options.query)}`;
  let response: Response;
  try {
    response = await fetch(url, {
      headers: {
        ...client.credentials,
        Accept: 'text/event-stream',
        ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
      },
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    throw unreachable(error, url);
  }
  if (response.status !== 200) throw problemOf(response, await response.text(), Date.now());
  if (response.body === null) throw new UnreachableError('connection', 'the stream has no body', null);
  return response.body;
}

/** Aborts once nothing was received for `ms`. */
function watchSilence(ms: number): { signal: AbortSignal; received(): void; stop(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException('silent', 'TimeoutError'));
  let timer = setTimeout(abort, ms);
  const received = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, ms);
  };
  return { signal: controller.signal, received, stop: () => clearTimeout(timer) };
}
