import { sendBeforeCommit } from '../before-commit.ts';
import type { Transaction } from '../connection.ts';
import { postgres } from '../driver.ts';
import { PIECE_BYTES } from './binary-rows.ts';

/** The class of PostgreSQL errors for rows that violate a constraint. */
const INTEGRITY_VIOLATION = '23';

/** A row of a COPY violated a constraint; the transaction can only continue from a savepoint before the COPY. */
export class CopyRefusedError extends Error {
  override name = 'CopyRefusedError';
}

/** Rows of up to this size are sent together with their statement; larger ones as the server accepts them. */
const MAX_FOLLOWING_BYTES = 128 * 1024;
const COPY_DATA = 0x64;
const COPY_DONE = [0x63, 0, 0, 0, 4];

/** A COPY statement and its data. */
export interface Copy {
  statement: string;
  /** Each piece is sent before the next is requested, so that pieces, also of other copies, may share a buffer. */
  pieces: Iterable<Uint8Array>;
}

/** Runs one COPY. See `copyInTurn`. */
export function copyInto(tx: Transaction, statement: string, pieces: Iterable<Uint8Array>): Promise<void> {
  return copyInTurn(tx, [{ statement, pieces }]);
}

/**
 * Runs statements of which the last one is a COPY of these rows. Small ones are sent without waiting for the result: see
 * `sendBeforeCommit`.
 */
export async function copyBeforeCommit(tx: Transaction, statements: string, rows: Uint8Array): Promise<void> {
  if (rows.length > MAX_FOLLOWING_BYTES) await copyInto(tx, statements, [rows]);
  else await sendBeforeCommit(tx, tx.unsafe(statements, [], { following: copyMessages(rows) }));
}

/**
 * Runs copies in order. Small ones in a row are sent as one query, with their rows. Large ones are sent in pieces as the
 * server accepts them, with a yield to the event loop after each. Throws the error of the first copy that failed:
 * CopyRefusedError if a row violated a constraint.
 */
export async function copyInTurn(tx: Transaction, copies: Iterable<Copy>): Promise<void> {
  let small = new SmallCopies();
  try {
    for (const { statement, pieces } of copies) {
      const rest = pieces[Symbol.iterator]();
      const first = rest.next();
      if (first.done || first.value.length > MAX_FOLLOWING_BYTES) {
        await small.run(tx);
        small = new SmallCopies();
        await sendPieces(tx, statement, first, rest);
        continue;
      }
      small.add(statement, first.value);
      const second = rest.next();
      if (!second.done) throw new Error('a copy has a small piece that is not its last');
    }
    await small.run(tx);
  } catch (error) {
    throw copyError(error);
  }
}

/** Copies that are sent together: the server skips the statements and rows after the first that fails. */
class SmallCopies {
  readonly #statements: string[] = [];
  readonly #messages: Buffer[] = [];

  add(statement: string, rows: Uint8Array): void {
    this.#statements.push(statement);
    this.#messages.push(copyMessages(rows));
  }

  async run(tx: Transaction): Promise<void> {
    const [first] = this.#messages;
    if (first === undefined) return;
    const following = this.#messages.length === 1 ? first : Buffer.concat(this.#messages);
    await tx.unsafe(this.#statements.join('; '), [], { following });
  }
}

/** The protocol messages of a complete COPY. */
function copyMessages(rows: Uint8Array): Buffer {
  const messages = Buffer.allocUnsafe(5 + rows.length + COPY_DONE.length);
  messages[0] = COPY_DATA;
  messages.writeUInt32BE(rows.length + 4, 1);
  messages.set(rows, 5);
  messages.set(COPY_DONE, 5 + rows.length);
  return messages;
}

/**
 * Converts constraint violations to CopyRefusedError; other errors, such as a full disk, would recur if the rows were
 * merged instead.
 */
function copyError(cause: unknown): unknown {
  const forbidden = cause instanceof postgres.PostgresError && cause.code.startsWith(INTEGRITY_VIOLATION);
  return forbidden ? new CopyRefusedError(cause.message, { cause }) : cause;
}

/** Sends `first` and the pieces of `rest`. */
async function sendPieces(
  tx: Transaction,
  statement: string,
  first: IteratorResult<Uint8Array>,
  rest: Iterator<Uint8Array>,
): Promise<void> {
  const stream = await tx.unsafe(statement).writable();
  let piece = first;
  await new Promise<void>((resolve, reject) => {
    let refused = false;
    const refuse = (cause: unknown) => {
      refused = true;
      reject(copyError(cause));
    };
    const next = () => {
      if (refused) return;
      try {
        piece = rest.next();
        send();
      } catch (error) {
        stream.destroy(error as Error);
      }
    };
    const send = () => {
      if (piece.done) {
        stream.end();
        return;
      }
      const turn = piece.value.length >= PIECE_BYTES;
      stream.write(piece.value, (error) => (error ? refuse(error) : turn ? setImmediate(next) : next()));
    };
    stream.on('error', refuse);
    stream.on('finish', resolve);
    send();
  });
}
