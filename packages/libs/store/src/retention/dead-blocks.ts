import { DAY_MS } from '@tidewatch/domain/rollup/tier';
import { type Queryable, type Sql, type Transaction, transact } from '../database/connection.ts';
import type { Fence } from '../leases/lease.ts';
import type { RetentionDays } from './retention.ts';

/** Held shared by whoever is about to use blocks that rested, alone by whoever removes some. */
const BLOCKS_LOCK = 7_115_030_001;
/** Blocks looked at in one transaction. */
const PART = 2_000;
/** A deleted service may still have payloads under way. */
const DELETED_FOR = DAY_MS;

/** A block that the writer knew was removed: what it remembers is to be read again. */
export class BlockRemovedError extends Error {
  override name = 'BlockRemovedError';
}

/**
 * Makes sure that the blocks are there until the transaction ends. To be asked for blocks that had no row for
 * `IDLE_BLOCK_MS`, before rows are written to them. Throws BlockRemovedError.
 */
export async function confirmBlocks(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${BLOCKS_LOCK}::bigint)`;
  const [row] = await tx<{ found: number }[]>`
    select count(*)::integer as found from blocks where id = any(${ids as number[]}::integer[])`;
  if (row?.found !== ids.length) throw new BlockRemovedError('a block that rested was removed');
}

/** Half of the shortest time after which a block of a living service can be dead, ms. */
export const IDLE_BLOCK_MS = DAY_MS / 2;

/**
 * Removes blocks that have no row in any relation and will get none: those of services deleted for a day, and those
 * that had none for as long as the longest retention. Their slots and latest values go with them; ids are never used
 * again. Answers how many.
 */
export async function removeDeadBlocks(
  sql: Sql,
  now: number,
  retention: RetentionDays,
  fence?: Fence,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const ids = await sql<
      { id: number }[]
    >`select id from blocks where id > ${after} order by id limit ${PART}`;
    if (ids.length === 0) return removed;
    const part = ids.map((row) => row.id);
    after = part.at(-1) as number;
    const dead = await findDead(sql, part, now, retention);
    if (dead.length === 0) continue;
    removed += await transact(sql, async (tx) => {
      await tx`set local lock_timeout = '2s'`;
      await fence?.(tx);
      await tx`select pg_advisory_xact_lock(${BLOCKS_LOCK}::bigint)`;
      // Looked at again: only now nobody else can have rows for them under way.
      const still = await findDead(tx, dead, now, retention);
      await tx`delete from block_latest where block_id = any(${still}::integer[])`;
      return (await tx`delete from blocks where id = any(${still}::integer[])`).count;
    });
  }
}

async function findDead(sql: Queryable, ids: number[], now: number, retention: RetentionDays) {
  const quietSince = now - retention.rollup1d * DAY_MS;
  const rows = await sql<{ id: number }[]>`
    select b.id from blocks b
    left join services s on s.org_id = b.org_id and s.id = b.service_id
    left join block_latest l on l.block_id = b.id
    where b.id = any(${ids}::integer[])
      and (s.deleted_at < ${now - DELETED_FOR}::timestamptz
        or b.created_at < ${quietSince}::timestamptz
          and coalesce(l.applied_at, '-infinity') < ${quietSince}::timestamptz)
      and not exists (select from dirty_buckets where block_id = b.id and tier in ('1m', '1h', '1d'))
      and not exists (select from samples where block_id = b.id)
      and not exists (select from samples_backfill where block_id = b.id)
      and not exists (select from rollup_1m where block_id = b.id)
      and not exists (select from rollup_1h where block_id = b.id)
      and not exists (select from rollup_1d where block_id = b.id)`;
  return rows.map((row) => row.id);
}
