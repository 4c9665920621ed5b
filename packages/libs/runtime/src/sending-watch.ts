import type { Server, Socket } from 'node:net';

export interface SendingBounds {
  /** How long what waits to be sent may wait at least, ms. */
  graceMs: number;
  /** How many bytes of it a second adds to that. */
  bytesPerSecond: number;
  /** Between two looks, ms. */
  everyMs: number;
}

interface Waiting {
  /** Bytes that have to be gone, counted from the beginning of the connection. */
  until: number;
  deadline: number;
}

/**
 * Cuts connections whose client takes an answer too slowly. What waits to be sent at one moment must be gone after the
 * grace and the time that its size allows; only then is what waits by then looked at. So a client may take long for
 * much, but not byte by byte. `connected` is the event that has the sockets that answers are written to.
 */
export function watchSending(
  server: Server,
  connected: 'connection' | 'secureConnection',
  { graceMs, bytesPerSecond, everyMs }: SendingBounds,
): void {
  const sockets = new Map<Socket, Waiting | null>();
  server.on(connected, (socket: Socket) => {
    sockets.set(socket, null);
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, waiting] of sockets) {
      const size = socket.writableLength;
      const gone = socket.bytesWritten - size;
      if (waiting !== null && gone < waiting.until) {
        if (now > waiting.deadline) socket.destroy();
      } else if (size > 0) {
        const deadline = now + graceMs + (size / bytesPerSecond) * 1_000;
        sockets.set(socket, { until: gone + size, deadline });
      } else if (waiting !== null) sockets.set(socket, null);
    }
  }, everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
