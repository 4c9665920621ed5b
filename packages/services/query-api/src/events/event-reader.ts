import type { Response } from 'express';

/** One open stream to a client. */
export interface EventReader {
  isOpen(): boolean;
  /** The number of bytes that the client has not read yet. */
  waiting(): number;
  /** Writes to the stream. Returns false if the buffer of the client is full; `drained` resolves once it is not. */
  write(frame: Buffer): boolean;
  /** Resolves to whether the client reads everything within `withinMs`; false also if it disconnects. */
  drained(withinMs: number): Promise<boolean>;
  /** Sends the last bytes and ends the stream. */
  end(farewell: Buffer): void;
  /** Closes the connection to the client at once, without sending what is buffered. */
  cut(): void;
}

/** Starts the response as a stream that proxies do not buffer. */
export function openReader(response: Response, onClose: () => void): EventReader {
  let open = true;
  response.once('close', () => {
    open = false;
    onClose();
  });
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  // Without this header, nginx buffers responses.
  response.setHeader('X-Accel-Buffering', 'no');
  // Closes the connection with the stream, since no request can follow on it.
  response.setHeader('Connection', 'close');
  response.flushHeaders();
  return {
    isOpen: () => open,
    waiting: () => response.writableLength,
    write: (frame) => open && response.write(frame),
    drained(withinMs) {
      if (!open) return Promise.resolve(false);
      if (!response.writableNeedDrain) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (drained: boolean) => {
          clearTimeout(timer);
          response.off('drain', onDrain);
          response.off('close', onGone);
          resolve(drained);
        };
        const onDrain = () => settle(true);
        const onGone = () => settle(false);
        const timer = setTimeout(onGone, withinMs);
        response.once('drain', onDrain);
        response.once('close', onGone);
      });
    },
    end(farewell) {
      if (!open) return;
      open = false;
      response.end(farewell);
    },
    cut() {
      open = false;
      response.destroy();
    },
  };
}
