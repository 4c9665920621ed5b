import type { LoggedEvent } from '@tidewatch/store/outbox/event-log';

/** An event with the bytes that every reader of it gets. */
export interface FramedEvent {
  event: LoggedEvent;
  frame: Buffer;
}

/** How long a reader waits before it comes back, ms, unless it is told otherwise. */
const RETRY_MS = 2_000;

export const KEEP_ALIVE = Buffer.from(': still here\n\n');

export function frameEvent(event: LoggedEvent): FramedEvent {
  const frame = Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.text}\n\n`);
  return { event, frame };
}

const idLine = (id: string | null) => (id === null ? '' : `id: ${id}\n`);

/** The first bytes of a stream. An id without data tells nobody anything, yet it is what a reader comes back with. */
export function openingFrame(id: string | null): Buffer {
  return Buffer.from(`retry: ${RETRY_MS}\n${idLine(id)}\n`);
}

/** Instead of what cannot be resumed: events may be missing, and the next ones follow the one with this id. */
export function resetFrame(id: string | null, reason: 'unknown_id' | 'too_old'): Buffer {
  const data = JSON.stringify({ type: 'reset', reason });
  // An empty id makes the reader forget the one that led nowhere.
  return Buffer.from(`retry: ${RETRY_MS}\nid: ${id ?? ''}\nevent: reset\ndata: ${data}\n\n`);
}

/** A sign of life that also says up to where the reader has seen everything, whatever its filter left out. */
export function keepAliveFrame(id: string | null): Buffer {
  return id === null ? KEEP_ALIVE : Buffer.from(`: still here\n${idLine(id)}\n`);
}

/** The last bytes: where to come back is known, when is `retryMs`. */
export function farewellFrame(retryMs: number): Buffer {
  return Buffer.from(`retry: ${retryMs}\n\n`);
}
