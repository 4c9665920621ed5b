import type { Transaction } from '../database/connection.ts';

/** PostgreSQL's own number of a transaction, which is never used again. */
export async function transactionId(tx: Transaction): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`;
  if (row === undefined) throw new Error('a transaction without a number');
  return row.id;
}
