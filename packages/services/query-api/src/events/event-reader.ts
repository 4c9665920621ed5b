import type { Response } from 'express';

/** One open answer of the stream. */
export interface EventReader {
  isOpen(): boolean;
  /** Bytes that wait for the reader. */
  waiting(): number;
  /** False: the reader takes no more at the moment, and `drained` tells when it does. */
  write(frame: Buffer): boolean;
  /** Resolves to whether it took everything within `withinMs`; false also once it has gone. */
  drained(withinMs: number): Promise<boolean>;
  /** Says goodbye, as far as the reader still listens. */
  end(farewell: Buffer): void;
  /** Cuts the connection. */
  cut(): void;
}

/** Begins the answer: from here on it is a stream, whatever stands between it and its reader. */
export function openReader(response: Response, onClose: () => void): EventReader {
  let open = true;
  response.once('close', () => {
    open = false;
    onClose();
  });
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  // nginx gathers answers unless it is told not to.
  response.setHeader('X-Accel-Buffering', 'no');
  // Nothing follows on this connection: once the stream has ended, it need not be waited for.
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
