import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, transact } from '@tidewatch/database/connection';
import { endConversion } from './conversion-state.ts';
import { readSessions } from './sessions.ts';

const ROW_RELATIONS = ['samples', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots'] as const;
/** How long reads of several statements, each a transaction of its own, may take that began with the layout of rows, ms. */
const GRACE_PERIOD_MS = 60_000;
const CHECK_MS = 500;
const LOCK_RETRY_MS = 1_000;

export interface RemovalOptions {
  /** Default a minute; there is none while no process of the product is connected. */
  gracePeriodMs?: number;
  /** Called with the number of transactions that may still read rows, as long as there are any. */
  waiting?: (transactions: number) => void;
}

/**
 * Drops the rows of a database that reads its log, once every transaction has ended that may still read them, and ends the conversion.
 * Returns the names of the partitions and chunks that were dropped. May be ended at any time and called again.
 */
export async function removeRows(
  sql: Sql,
  { gracePeriodMs = GRACE_PERIOD_MS, waiting }: RemovalOptions,
): Promise<string[]> {
  if ((await readSessions(sql)).length > 0) await sleep(gracePeriodMs);
  await awaitOlderTransactions(sql, waiting);
  await noteReach(sql);
  await sql`delete from dirty_buckets`;
  const dropped: string[] = [];
  for (const relation of ROW_RELATIONS) dropped.push(...(await dropAll(sql, relation)));
  await endConversion(sql);
  return dropped;
}

/** Waits until all transactions have ended that began before the call, those of standby servers included. */
async function awaitOlderTransactions(sql: Sql, waiting: RemovalOptions['waiting']): Promise<void> {
  const [began] = await sql<{ xid: string; at: number }[]>`
    select pg_current_xact_id()::xid::text as xid, clock_timestamp() as at`;
  const { xid, at } = began as { xid: string; at: number };
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where pid <> pg_backend_pid() and (
        (backend_type = 'client backend' and datname = current_database() and xact_start <= ${at + 1}::timestamptz)
        or (backend_type = 'walsender' and age(backend_xmin) > age(${xid}::xid)))`;
    if ((row?.count ?? 0) === 0) return;
    waiting?.(row?.count ?? 0);
    await sleep(CHECK_MS);
  }
}

/** Notes how far the chunks of each block reach, as seals do: those of clocks that are ahead reach beyond the last flush. */
async function noteReach(sql: Sql): Promise<void> {
  await sql`
    update block_latest l set applied_at = c.last
    from (select block_id, max(last) as last from sample_chunks group by block_id) c
    where l.block_id = c.block_id and l.applied_at < c.last`;
}

async function dropAll(sql: Sql, relation: string): Promise<string[]> {
  for (;;) {
    try {
      return await transact(sql, async (tx) => {
        // A long query delays this, rather than what would queue behind its lock.
        await tx`set local lock_timeout = '1s'`;
        const rows = await tx<{ name: string }[]>`
          select name from drop_partitions(${relation}, ${Date.UTC(9000, 0)}::timestamptz) as name`;
        return rows.map(({ name }) => name);
      });
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
    }
    await sleep(LOCK_RETRY_MS);
  }
}
