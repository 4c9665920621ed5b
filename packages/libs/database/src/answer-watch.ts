import type { Socket } from 'node:net';

const QUERY = 0x51;
const SYNC = 0x53;
const FLUSH = 0x48;
const READY_FOR_QUERY = 0x5a;

/** The server did not answer in time, and the connection was closed. */
export class AnswerOverdueError extends Error {
  override name = 'AnswerOverdueError';
  readonly code = 'ETIMEDOUT';

  constructor(ms: number) {
    super(`the database has not answered for ${ms / 1_000} seconds`);
  }
}

/**
 * Closes a connection whose server has not answered for `ms`, because a frozen or unreachable server does not enforce its
 * statement timeout. Counts protocol messages to distinguish this from an idle connection. Must be created before the
 * socket connects.
 */
export class AnswerWatch {
  #owed = 0;
  #flushing = false;
  #started = false;

  constructor(socket: Socket, ms: number) {
    const incoming = new IncomingMessages();
    socket.on('data', (chunk: Buffer) => {
      this.#flushing = false;
      this.#owed -= incoming.readyIn(chunk);
    });
    socket.setTimeout(ms);
    socket.on('timeout', () => {
      if (this.#owed > 0 || this.#flushing) socket.destroy(new AnswerOverdueError(ms));
    });
  }

  /** Must be called with the whole messages of each write; the first write begins the session. */
  sent(messages: Uint8Array): void {
    if (!this.#started) {
      this.#started = true;
      this.#owed = 1;
      return;
    }
    const asked = answersAskedBy(messages);
    this.#owed += asked.ready;
    this.#flushing ||= asked.flush;
  }
}

/** How many "ready for query" answers the messages request, and whether they request a flush. */
function answersAskedBy(messages: Uint8Array): { ready: number; flush: boolean } {
  const asked = { ready: 0, flush: false };
  // The driver writes whole messages, so that each chunk starts with one.
  for (let at = 0; at + 5 <= messages.length; at += 1 + lengthAt(messages, at + 1)) {
    const type = messages[at];
    if (type === QUERY || type === SYNC) asked.ready += 1;
    else if (type === FLUSH) asked.flush = true;
  }
  return asked;
}

/** Finds protocol messages in the chunks of bytes that arrive. */
class IncomingMessages {
  readonly #header = new Uint8Array(5);
  #headerBytes = 0;
  #bodyBytes = 0;

  /** Counts the "ready for query" messages that begin in this chunk. */
  readyIn(chunk: Uint8Array): number {
    let ready = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#bodyBytes > 0) {
        const passed = Math.min(this.#bodyBytes, chunk.length - at);
        this.#bodyBytes -= passed;
        at += passed;
        continue;
      }
      this.#header[this.#headerBytes++] = chunk[at++] as number;
      if (this.#headerBytes < 5) continue;
      this.#headerBytes = 0;
      this.#bodyBytes = lengthAt(this.#header, 1) - 4;
      if (this.#header[0] === READY_FOR_QUERY) ready += 1;
    }
    return ready;
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}
