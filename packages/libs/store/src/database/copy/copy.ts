import type { Transaction } from '../connection.ts';
import { postgres } from '../driver.ts';
import { sendAhead } from '../send-ahead.ts';
import { PIECE_BYTES } from './binary-rows.ts';

/** PostgreSQL's class of errors where a constraint forbids a row. */
const INTEGRITY_VIOLATION = '23';

/** Rows of a COPY are there already; the transaction is usable again only from a savepoint before it. */
export class CopyRefusedError extends Error {
  override name = 'CopyRefusedError';
}

/** Rows of so few bytes travel with their statement; more of them as the server takes them. */
const FOLLOWING_BYTES = 128 * 1024;
const COPY_DATA = 0x64;
const COPY_DONE = [0x63, 0, 0, 0, 4];

/** A statement that ends with a COPY, and what it copies. */
export interface Copy {
  statement: string;
  /** Copied one by one, each before the next is asked for: they may share their memory, with those of other copies too. */
  pieces: Iterable<Uint8Array>;
}

/** `copyInTurn` of one COPY alone. */
export function copyInto(tx: Transaction, statement: string, pieces: Iterable<Uint8Array>): Promise<void> {
  return copyInTurn(tx, [{ statement, pieces }]);
}

/**
 * Sends copies, the small ones without waiting for those before them, and waits for the server's verdict on all; throws that
 * of the first that failed, which is CopyRefusedError where a constraint forbids a row. Pieces of a large one are sent as the server takes
 * them: all but the last are large, and after a large one the event loop turns.
 */
export async function copyInTurn(tx: Transaction, copies: Iterable<Copy>): Promise<void> {
  let ahead: Promise<unknown>[] = [];
  try {
    for (const { statement, pieces } of copies) {
      const rest = pieces[Symbol.iterator]();
      const first = rest.next();
      if (first.done || first.value.length > FOLLOWING_BYTES) {
        for (const sent of ahead) await sent;
        ahead = [];
        await sendPieces(tx, statement, first, rest);
        continue;
      }
      const following = copyMessages(first.value);
      const second = rest.next();
      if (!second.done) throw new Error('rows of a small piece are followed by others');
      ahead.push(sendAhead(tx.unsafe(statement, [], { following })));
    }
    for (const sent of ahead) await sent;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The protocol's messages of a whole COPY. */
function copyMessages(rows: Uint8Array): Buffer {
  const messages = Buffer.allocUnsafe(5 + rows.length + COPY_DONE.length);
  messages[0] = COPY_DATA;
  messages.writeUInt32BE(rows.length + 4, 1);
  messages.set(rows, 5);
  messages.set(COPY_DONE, 5 + rows.length);
  return messages;
}

/** Any other verdict than a forbidden row, such as a full disk, would be the same for rows that are merged. */
function refusalOf(cause: unknown): unknown {
  const forbidden = cause instanceof postgres.PostgresError && cause.code.startsWith(INTEGRITY_VIOLATION);
  return forbidden ? new CopyRefusedError(cause.message, { cause }) : cause;
}

/** Sends `first` and what `rest` answers after it. */
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
      reject(refusalOf(cause));
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
