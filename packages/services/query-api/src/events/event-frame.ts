import type { LoggedEvent } from '@tidewatch/store/outbox/event-log';

/** An event with the bytes that every client receives. */
export interface FramedEvent {
  event: LoggedEvent;
  frame: Buffer;
}

/** Default delay before a client reconnects, ms. */
const RETRY_MS = 2_000;

export const KEEP_ALIVE = Buffer.from(': still here\n\n');

export function frameEvent(event: LoggedEvent): FramedEvent {
  const frame = Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.text}\n\n`);
  return { event, frame };
}

const idLine = (id: string | null) => (id === null ? '' : `id: ${id}\n`);

/**
 * The first bytes of a stream. They contain an id without data: this is no event, but the client sends the id when it
 * reconnects.
 */
export function openingFrame(id: string | null): Buffer {
  return Buffer.from(`retry: ${RETRY_MS}\n${idLine(id)}\n`);
}

/** Sent when a stream cannot be resumed: events may be missing, and the next events follow the event with this id. */
export function resetFrame(id: string | null, reason: 'unknown_id' | 'too_old'): Buffer {
  const data = JSON.stringify({ type: 'reset', reason });
  // An empty id makes the client forget the id that could not be resumed.
  return Buffer.from(`retry: ${RETRY_MS}\nid: ${id ?? ''}\nevent: reset\ndata: ${data}\n\n`);
}

/** A keep-alive with the position up to which the client has received every event of its filter. */
export function keepAliveFrame(id: string | null): Buffer {
  return id === null ? KEEP_ALIVE : Buffer.from(`: still here\n${idLine(id)}\n`);
}

/** The last bytes of a stream, which make the client reconnect after `retryMs`. */
export function farewellFrame(retryMs: number): Buffer {
  return Buffer.from(`retry: ${retryMs}\n\n`);
}
