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
const BATCH_MS = 100;
/** Of more events half are applied, and the rest with the next ones: many at once make several short tasks, not a long one. */
const APPLIED_AT_ONCE = 12;

let stream: Stream | undefined;
/** Reads again what pages show; set with the stream. */
let readAgain: () => void = () => undefined;
let isReachable = true;

/**
 * Opens the stream of events and keeps the cached reads current by it. To be called once, before the first read.
 * `onRefused` is called where the server does not know who asks.
 */
export function startLive(client: QueryClient, onRefused: () => void): void {
  if (stream !== undefined) return;
  const cache = createLiveCache(client);
  readAgain = () => cache.reset();
  const batch: Event[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;

  const flush = (atMost = Math.max(APPLIED_AT_ONCE, Math.ceil(batch.length / 2))) => {
    clearTimeout(timer);
    const events = batch.splice(0, atMost);
    timer = batch.length > 0 ? setTimeout(flush, BATCH_MS) : undefined;
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
      if (document.hidden) return flush(batch.length);
      timer ??= setTimeout(flush, BATCH_MS);
      return;
    }
    const { state } = message;
    setLink(state);
    if (state.phase === 'refused' && state.status === 401) onRefused();
    if (state.phase !== 'open' || wasOpen) return;
    // The first reads do not wait for the stream.
    wasOpen = true;
    cache.opened();
  };
  stream = openStream(receive);
  addEventListener('online', retryLive);
  addEventListener('offline', () => void probe());
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
