import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionWatchBounds {
  /** A client gets at least this time to read buffered bytes before its connection is closed, ms. */
  graceMs: number;
  /** The minimum speed of a client that reads slowly: each second beyond `graceMs` is allowed for this many bytes. */
  bytesPerSecond: number;
  /** Time between two checks, ms. */
  everyMs: number;
}

interface Watched {
  /**
   * The number of bytes, since the beginning of the connection, that must be sent by `deadline`; null while nothing is
   * buffered.
   */
  until: number | null;
  deadline: number;
}

/**
 * Closes connections whose client reads a response too slowly. All bytes that are buffered at one moment must be sent
 * within the grace period plus the time that their number allows; then the next measurement begins. `connected` is the
 * event that provides the sockets of responses.
 */
export function watchConnections(
  server: Server,
  connected: 'connection' | 'secureConnection',
  { graceMs, bytesPerSecond, everyMs }: ConnectionWatchBounds,
): void {
  const sockets = new Map<Socket, Watched>();
  // The time that this process was running, ms: while it was paused, no client could read.
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
 * Closes connections that are idle for `idleMs`, by a timer of each. After a pause of this process the timer fires before
 * data that arrived meanwhile is read, so the data is read first.
 */
export function cutIdleConnections(server: Server, idleMs: number): void {
  server.setTimeout(idleMs, (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}
