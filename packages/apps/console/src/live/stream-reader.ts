import { createTidewatchClient } from '@tidewatch/api-client/client';
import { type EventsWatcher, events } from '@tidewatch/api-client/events';
import { ApiProblem } from '@tidewatch/api-client/problem';
import {
  CATCH_UP_QUIET_MS,
  type LinkInput,
  type LinkState,
  linkAfter,
  linkAt,
  SILENCE_MS,
} from './link-state.ts';
import type { StreamMessage } from './stream-message.ts';

/** After a restart of the server the page is live again within a few seconds. */
const MAX_BACKOFF_MS = 2_000;

/** Reads the stream of events and keeps its state. `start` while it reads changes nothing; `stop` keeps the position. */
export interface StreamReader {
  start(): void;
  /** Connects at once instead of at the next attempt, and checks a connection that seems to be open. */
  retry(): void;
  stop(): void;
  state(): LinkState;
}

/** A reader of the stream at `origin`, which continues after the last event whenever it was stopped or cut. */
export function createStreamReader(origin: string, emit: (message: StreamMessage) => void): StreamReader {
  const client = createTidewatchClient({ url: origin, headers: { 'X-Tidewatch-Console': '1' } });
  let state: LinkState = { phase: 'connecting', startedAt: Date.now(), failures: 0, retryAt: null };
  let position: string | undefined;
  let wasOpen = false;
  let reading: AbortController | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  const set = (next: LinkState) => {
    // The time of the last byte alone is no news: it comes with the loss of the connection.
    const isNews = !(next.phase === 'open' && state.phase === 'open' && next.pastUntil === state.pastUntil);
    state = next;
    if (isNews) emit({ kind: 'state', state });
  };
  const advance = (input: LinkInput) => {
    set(linkAfter(state, input, Date.now()));
    clearTimeout(quiet);
    if (state.phase === 'open' && state.pastUntil !== null)
      quiet = setTimeout(() => set(linkAt(state, Date.now())), CATCH_UP_QUIET_MS + 10);
  };

  const read = async (signal: AbortSignal) => {
    const watcher: EventsWatcher = {
      received: () => advance({ kind: 'bytes' }),
      position: (id) => {
        position = id;
      },
      lost: (waitMs) => {
        if (!signal.aborted) advance({ kind: 'lost', waitMs });
      },
    };
    const options = { signal, silenceMs: SILENCE_MS, maxBackoffMs: MAX_BACKOFF_MS, watcher };
    try {
      for await (const item of events(client, {
        ...options,
        ...(position !== undefined && { after: position }),
      })) {
        if (signal.aborted) return;
        if (item.kind === 'open') {
          // Without a position the stream begins now, whatever came since it was stopped.
          if (wasOpen && position === undefined) emit({ kind: 'reset' });
          wasOpen = true;
          advance({ kind: 'open' });
        }
        if (item.kind === 'reset') emit({ kind: 'reset' });
        if (item.kind === 'event') {
          emit({ kind: 'events', events: [item.event] });
          advance({ kind: 'event' });
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      reading = undefined;
      advance({ kind: 'refused', status: error instanceof ApiProblem ? error.status : 0 });
    }
  };

  const start = () => {
    if (reading !== undefined) return;
    advance({ kind: 'start' });
    reading = new AbortController();
    void read(reading.signal);
  };
  const stop = () => {
    reading?.abort();
    reading = undefined;
  };
  return {
    start,
    stop,
    retry: () => {
      stop();
      start();
    },
    state: () => state,
  };
}
