import type { Server, Socket } from 'node:net';

export interface ConnectionWatchBounds {
  /** A connection on which nothing moves for so long is cut, ms. */
  idleMs: number;
  /** How long what waits to be sent may wait at least, ms. */
  graceMs: number;
  /** How many bytes of it a second adds to that. */
  bytesPerSecond: number;
  /** Between two looks, ms. */
  everyMs: number;
}

interface Watched {
  /** Bytes that had come and gone by the last look, and when they were seen first. */
  bytes: number;
  movedAt: number;
  /** Bytes that have to be gone by `deadline`, counted from the beginning of the connection; null while nothing waits. */
  until: number | null;
  deadline: number;
}

/**
 * Cuts connections on which nothing moves, and those whose client takes an answer too slowly. What waits to be sent at one
 * moment must be gone after the grace and the time that its size allows; only then is what waits by then looked at. So a
 * client may take long for much, but not byte by byte. `connected` is the event that has the sockets that answers are
 * written to. Node's own timers of these sockets are taken out: it sets them anew with every request, read and write, and
 * nobody needs to know to the millisecond.
 */
export function watchConnections(
  server: Server,
  connected: 'connection' | 'secureConnection',
  { idleMs, graceMs, bytesPerSecond, everyMs }: ConnectionWatchBounds,
): void {
  const sockets = new Map<Socket, Watched>();
  // Time in which this process looked: what came while it stood still waits to be read, and is no silence.
  let now = 0;
  let lookedAt = performance.now();
  server.on(connected, (socket: Socket) => {
    socket.setTimeout(0);
    const withoutTimer = () => socket;
    socket.setTimeout = withoutTimer;
    sockets.set(socket, { bytes: 0, movedAt: now, until: null, deadline: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const since = performance.now() - lookedAt;
    lookedAt += since;
    now += Math.min(since, 2 * everyMs);
    for (const [socket, watched] of sockets) {
      const bytes = socket.bytesRead + socket.bytesWritten - unsentOf(socket);
      if (bytes !== watched.bytes) {
        watched.bytes = bytes;
        watched.movedAt = now;
      } else if (now - watched.movedAt > idleMs) socket.destroy();
      const waiting = socket.writableLength;
      const gone = socket.bytesWritten - waiting;
      if (watched.until !== null && gone < watched.until) {
        if (now > watched.deadline) socket.destroy();
      } else if (waiting > 0) {
        watched.until = gone + waiting;
        watched.deadline = now + graceMs + (waiting / bytesPerSecond) * 1_000;
      } else watched.until = null;
    }
  }, everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** What the system has not taken yet of a write that is under way, as Node's own timers ask for it; `bytesWritten` counts that. */
function unsentOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
}
