import type { Transaction } from '../database/connection.ts';
import type { Fragment } from './page-rows.ts';

/** Rows that are fetched at once: the most that an export has in memory. */
const PORTION = 200;

/**
 * The rows of a statement, portion by portion as they are asked for, by a cursor of the server that ends with the
 * transaction. At most one at a time in a transaction.
 */
export async function* readByCursor<Row extends object>(
  tx: Transaction,
  statement: Fragment,
): AsyncGenerator<Row[]> {
  await tx`declare export_cursor no scroll cursor for ${statement}`;
  for (;;) {
    const rows = await tx.unsafe<Row[]>(`fetch forward ${PORTION} from export_cursor`);
    if (rows.length > 0) yield [...rows];
    if (rows.length < PORTION) return;
  }
}
