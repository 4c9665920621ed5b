import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionWatchBounds {
  /** How long what waits to be sent may wait at least, ms. */
  graceMs: number;
  /** How many bytes of it a second adds to that. */
  bytesPerSecond: number;
  /** Between two looks, ms. */
  everyMs: number;
}

interface Watched {
  /** Bytes that have to be gone by `deadline`, counted from the beginning of the connection; null while nothing waits. */
  until: number | null;
  deadline: number;
}

/**
 * Cuts connections whose client takes an answer too slowly. What waits to be sent at one moment must be gone after the
 * grace and the time that its size allows; only then is what waits by then looked at. So a client may take long for much,
 * but not byte by byte. `connected` is the event that has the sockets that answers are written to.
 */
export function watchConnections(
  server: Server,
  connected: 'connection' | 'secureConnection',
  { graceMs, bytesPerSecond, everyMs }: ConnectionWatchBounds,
): void {
  const sockets = new Map<Socket, Watched>();
  // Time in which this process looked: while it stood still, nobody could take anything.
  let now = 0;
  let lookedAt = performance.now();
  server.on(connected, (socket: Socket) => {
    sockets.set(socket, { until: null, deadline: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const since = performance.now() - lookedAt;
    lookedAt += since;
    now += Math.min(since, 2 * everyMs);
    for (const [socket, watched] of sockets) {
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

/**
 * Cuts connections on which nothing moves for `idleMs`, as Node's timer of each sees it. What came while this process stood
 * still waits to be read when that timer fires, and is read before the connection is looked at.
 */
export function cutIdleConnections(server: Server, idleMs: number): void {
  server.setTimeout(idleMs, (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
