import type { Writable } from 'node:stream';
import type { Transaction } from '../connection.ts';
import { postgres } from '../driver.ts';
import { PIECE_BYTES } from './binary-rows.ts';

/** PostgreSQL's class of errors where a constraint forbids a row. */
const INTEGRITY_VIOLATION = '23';

/** Rows of a COPY are there already; the transaction is usable again only from a savepoint before it. */
export class CopyRefusedError extends Error {
  override name = 'CopyRefusedError';
}

/** What the driver's query is beneath its types: the one that settles when the server answers. */
interface SettlingQuery {
  reject: (error: unknown) => void;
  writable(): Promise<Writable>;
}

/**
 * Sends one binary COPY and waits for the server's verdict; throws CopyRefusedError where a constraint forbids a row.
 * A piece is copied before the next is asked for, which is once the server takes more: pieces may share their memory.
 * After a large one the event loop turns.
 *
 * In postgres.js 3.4.9 the stream of a COPY that the server rejects after its end never settles. The error
 * does arrive, at the query, whose promise was already resolved with the stream: so it is caught there.
 */
export async function copyInto(
  tx: Transaction,
  statement: string,
  pieces: Iterable<Uint8Array>,
): Promise<void> {
  const query = tx.unsafe(statement) as unknown as SettlingQuery;
  const stream = await query.writable();
  const rest = pieces[Symbol.iterator]();
  await new Promise<void>((resolve, reject) => {
    let refused = false;
    const refuse = (cause: unknown) => {
      refused = true;
      // Any other verdict, such as a full disk, would be the same for rows that are merged.
      const forbidden = cause instanceof postgres.PostgresError && cause.code.startsWith(INTEGRITY_VIOLATION);
      reject(forbidden ? new CopyRefusedError(cause.message, { cause }) : cause);
    };
    const send = () => {
      if (refused) return;
      try {
        const { value, done } = rest.next();
        if (done) {
          stream.end();
          return;
        }
        const turn = value.length >= PIECE_BYTES;
        stream.write(value, (error) => (error ? refuse(error) : turn ? setImmediate(send) : send()));
      } catch (error) {
        stream.destroy(error as Error);
      }
    };
    query.reject = refuse;
    stream.on('error', refuse);
    stream.on('finish', resolve);
    send();
  });
}
