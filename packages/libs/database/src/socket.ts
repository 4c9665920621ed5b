import { Socket } from 'node:net';
import { AnswerWatch } from './answer-watch.ts';

/** The address that the driver connects to. */
export interface SocketTarget {
  host: string[];
  port: number[];
  path?: string | false;
}

type Written = (error?: Error | null) => void;
type Piece = { chunk: Buffer; encoding: BufferEncoding };

/** A socket for the driver that is closed if the server does not answer in time. */
class DatabaseSocket extends Socket {
  readonly #watch: AnswerWatch | null;

  /** `answerWithinMs` is 0 for no timeout. */
  constructor(answerWithinMs: number) {
    super();
    this.#watch = answerWithinMs > 0 ? new AnswerWatch(this, answerWithinMs) : null;
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, written: Written): void {
    this.#watch?.sent(bytes);
    // biome-ignore lint/plugin: a stream's documented method for its subclasses
    super._write(bytes, encoding, written);
  }

  override _writev(pieces: Piece[], written: Written): void {
    for (const { chunk } of pieces) this.#watch?.sent(chunk);
    // biome-ignore lint/plugin: a stream's documented method for its subclasses
    super._writev?.(pieces, written);
  }
}

/**
 * Opens a socket for the driver and returns it while it connects, so that the driver handles errors. Sets TCP_NODELAY, which
 * postgres.js does not: without it a COPY takes some 40 ms longer on TCP.
 */
export function openSocket(target: SocketTarget, answerWithinMs: number): Socket {
  const socket = new DatabaseSocket(answerWithinMs);
  if (target.path) socket.connect(target.path);
  else socket.connect(target.port[0] ?? 5432, target.host[0] ?? '127.0.0.1');
  return socket.setNoDelay(true);
}
