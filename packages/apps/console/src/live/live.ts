import type { QueryClient } from '@tanstack/react-query';
import type { Event } from '@tidewatch/api-client/events';
import { announceAlerts } from './announcements/announcements.ts';
import { clearEventLog, logEvents } from './event-log.ts';
import { delayAfter } from './freshness.ts';
import { createLiveCache } from './live-cache.ts';
import { setDelay, setLink, setUnreachable } from './live-state.ts';
import { openStream, type Stream } from './open-stream.ts';
import type { StreamMessage } from './stream-message.ts';

/** Events are applied together, ms after the first of them. */
const BATCH_MS = 250;
/** The first reads wait for the stream, so that they miss no event, but no longer than this. */
const MAX_FIRST_WAIT_MS = 300;

let stream: Stream | undefined;
/** Reads again what pages show; set with the stream. */
let readAgain: () => void = () => undefined;
let isReachable = true;
let settleOpened: () => void = () => undefined;
const opened = new Promise<void>((resolve) => {
  settleOpened = resolve;
});

/**
 * Opens the stream of events and keeps the cached reads current by it. To be called once, before the first read.
 * `onRefused` is called where the server does not know who asks.
 */
export function startLive(client: QueryClient, onRefused: () => void): void {
  if (stream !== undefined) return;
  const cache = createLiveCache(client);
  readAgain = () => cache.reset();
  let batch: Event[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let readsBeforeOpening = false;
  setTimeout(() => {
    readsBeforeOpening = true;
    settleOpened();
  }, MAX_FIRST_WAIT_MS);

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const events = batch;
    batch = [];
    for (const event of events)
      if ('pipeline' in event.data) {
        const { type, data } = event as Extract<Event, { data: { pipeline: unknown } }>;
        setDelay((delay) => delayAfter(delay, { type, data }));
      }
    cache.apply(events);
    logEvents(events);
    announceAlerts(events);
  };
  const receive = (message: StreamMessage) => {
    if (message.kind === 'reset') {
      clearEventLog();
      return cache.reset();
    }
    if (message.kind === 'events') {
      batch.push(...message.events);
      // Timers of hidden pages are late, but the title has to be current.
      if (document.hidden) return flush();
      timer ??= setTimeout(flush, BATCH_MS);
      return;
    }
    const { state } = message;
    setLink(state);
    if (state.phase === 'refused' && state.status === 401) onRefused();
    if (state.phase === 'connecting') return;
    settleOpened();
    if (readsBeforeOpening && state.phase === 'open') {
      readsBeforeOpening = false;
      cache.reset();
    }
  };
  stream = openStream(receive);
  addEventListener('online', retryLive);
  addEventListener('offline', () => void probe());
}

/** Resolves when the stream is open, or will not be soon. */
export function liveOpened(): Promise<void> {
  return opened;
}

/** Reads the stream again after a sign-in. */
export function restartLive(): void {
  stream?.start();
}

/** Connects at once: the button "Retry now". */
export function retryLive(): void {
  stream?.retry();
  void probe();
}

/** Finds out whether this page itself reaches the server, which its worker may do by another way. */
async function probe(): Promise<void> {
  const at = Date.now();
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(5_000) });
    setUnreachable(null);
    // Reads that failed meanwhile would otherwise wait for the next event.
    if (!isReachable) readAgain();
    isReachable = true;
  } catch {
    isReachable = false;
    setUnreachable(at);
  }
}
