import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';

/** The advisory lock of the log: writers hold it shared while they append, and a seal holds it alone for an instant. */
const SEAL_LOCK = 7_115_030_003;
const MAX_WAIT_MS = 1_000;

/**
 * Draws numbers for rows of a transaction that appends to the log, once for each transaction unless one was not enough. Until the
 * transaction ends no seal can see them as ended.
 */
export async function drawSeqs(tx: Transaction, count = 1): Promise<number[]> {
  // PostgreSQL plans a series of unknown length at each call, which takes as long as the rest of the statement.
  const rows =
    count === 1
      ? await tx<{ seq: number }[]>`
          select nextval('sample_log_seq') as seq from pg_advisory_xact_lock_shared(${SEAL_LOCK}::bigint)`
      : await tx<{ seq: number }[]>`
          select nextval('sample_log_seq') as seq
          from pg_advisory_xact_lock_shared(${SEAL_LOCK}::bigint), generate_series(1, ${count}::integer)`;
  return rows.map(({ seq }) => seq);
}

/**
 * The last number that was drawn, 0 if none was. Every transaction with this number or one before has ended: what is not in the
 * log yet never will be. Waits for transactions that are appending. Throws an error with the code 55P03 if one of them takes longer than a
 * second more, since others cannot begin meanwhile.
 */
export function readEndedSeq(sql: Sql): Promise<number> {
  return transact(sql, async (tx) => {
    await tx`select set_config('lock_timeout', ${`${MAX_WAIT_MS}ms`}, true), pg_advisory_xact_lock(${SEAL_LOCK}::bigint)`;
    const [row] = await tx<{ seq: number }[]>`
      select case when is_called then last_value else 0 end as seq from sample_log_seq`;
    return (row as { seq: number }).seq;
  });
}
