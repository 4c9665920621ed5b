import { Socket } from 'node:net';
import { AnswerWatch } from './answer-watch.ts';

/** Where the driver wants to connect to. */
export interface SocketTarget {
  host: string[];
  port: number[];
  path?: string | false;
}

type Written = (error?: Error | null) => void;
type Piece = { chunk: Buffer; encoding: BufferEncoding };

/** A socket of the driver, which is given up once its server owes an answer for too long. `connect` resets `write`. */
class DatabaseSocket extends Socket {
  readonly #watch: AnswerWatch | null;

  /** `answerWithinMs` is 0 to wait for ever. */
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
 * A socket for the driver, still connecting, so that an error takes the driver's own path. postgres.js never sets
 * TCP_NODELAY, which costs a COPY some 40 ms on TCP.
 */
export function openSocket(target: SocketTarget, answerWithinMs: number): Socket {
  const socket = new DatabaseSocket(answerWithinMs);
  if (target.path) socket.connect(target.path);
  else socket.connect(target.port[0] ?? 5432, target.host[0] ?? '127.0.0.1');
  return socket.setNoDelay(true);
}
