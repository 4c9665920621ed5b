import type { Transaction } from '@tidewatch/database/connection';

/** PostgreSQL's id of the transaction, which is never reused. */
export async function transactionId(tx: Transaction): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`;
  if (row === undefined) throw new Error('PostgreSQL returned no transaction id');
  return row.id;
}
