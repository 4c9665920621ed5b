import type { Transaction } from '../connection.ts';
import { postgres } from '../driver.ts';

/** PostgreSQL's class of errors where a constraint forbids a row. */
const INTEGRITY_VIOLATION = '23';

/** Rows of a COPY are there already; the transaction is usable again only from a savepoint before it. */
export class CopyRefusedError extends Error {
  override name = 'CopyRefusedError';
}

/** What the driver's query is beneath its types: the one that settles when the server answers. */
interface SettlingQuery {
  reject: (error: unknown) => void;
  writable(): Promise<NodeJS.WritableStream>;
}

/**
 * Sends one binary COPY and waits for the server's verdict; throws CopyRefusedError where a constraint forbids a row.
 * `data` is copied before this function first waits for the socket, so its buffer may be used again once the returned
 * promise settled.
 *
 * In postgres.js 3.4.9 the stream of a COPY that the server rejects after its end never settles. The error
 * does arrive, at the query, whose promise was already resolved with the stream: so it is caught there.
 */
export async function copyInto(tx: Transaction, statement: string, data: Uint8Array): Promise<void> {
  const query = tx.unsafe(statement) as unknown as SettlingQuery;
  const stream = await query.writable();
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: unknown) => {
      // Any other verdict, such as a full disk, would be the same for rows that are merged.
      const refused = cause instanceof postgres.PostgresError && cause.code.startsWith(INTEGRITY_VIOLATION);
      reject(refused ? new CopyRefusedError(cause.message, { cause }) : cause);
    };
    query.reject = refuse;
    stream.on('error', refuse);
    stream.on('finish', resolve);
    stream.end(data);
  });
}
