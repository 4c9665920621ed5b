import type { Transaction } from '@tidewatch/database/connection';
import type { Fragment } from './page-rows.ts';

/** The number of rows in one fetch, which is all that an export holds in memory. */
const PORTION = 200;

/**
 * Yields the rows of a statement in portions, by a server-side cursor that ends with the transaction. A transaction may
 * have one such cursor at a time.
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
