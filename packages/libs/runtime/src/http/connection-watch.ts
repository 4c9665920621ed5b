import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionWatchBounds {
  /** Minimum time for sending buffered bytes, ms. */
  graceMs: number;
  /** The min speed of a slow reader: each second beyond `graceMs` is allowed for this many bytes. */
  bytesPerSecond: number;
  /** Time between two checks, ms. */
  everyMs: number;
}

interface Watched {
  /** Bytes that must be sent by `deadline`, counted from the beginning of the connection; null while nothing is buffered. */
  until: number | null;
  deadline: number;
}

/**
 * Cuts connections whose client reads a response too slowly. What is buffered at one moment must be sent within the grace
 * period and the time that its size allows; then the next measurement begins. So a client may take long for a large
 * response, but cannot read it byte by byte. `connected` is the event with the sockets that responses are written to.
 */
export function watchConnections(
  server: Server,
  connected: 'connection' | 'secureConnection',
  { graceMs, bytesPerSecond, everyMs }: ConnectionWatchBounds,
): void {
  const sockets = new Map<Socket, Watched>();
  // Time in which this process ran: while it was paused, no client could read anything.
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
 * Cuts connections that are idle for `idleMs`, by Node's timer of each. What arrived while this process was paused is
 * still unread when that timer fires, so it is read before the connection is checked.
 */
export function cutIdleConnections(server: Server, idleMs: number): void {
  server.setTimeout(idleMs, (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
