import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { COARSEST_TIER } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type Queryable, type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { deleteUnusedLiveParts } from '../latest/live-parts.ts';
import type { Fence } from '../leases/lease.ts';
import { type SampleState, sampleStateOf, writesLayout } from '../sample-log/sample-layout.ts';
import { storedSeries } from '../series/stored-series.ts';

/** The advisory lock of blocks: writers hold it shared to use idle blocks, and removal of blocks holds it exclusively. */
const BLOCKS_LOCK = 7_115_030_001;
/** The number of blocks that one transaction checks. */
const PART = 2_000;
/** How long after a deletion payloads of a service may still arrive, ms. */
export const DELETED_FOR_MS = DAY_MS;

/** A block in the writer's cache was removed, so the writer must read its blocks again. */
export class BlockRemovedError extends Error {
  override name = 'BlockRemovedError';
}

/**
 * Ensures that blocks exist until the transaction ends. Must be called before rows are written to blocks without a row for
 * `IDLE_BLOCK_MS`. Throws BlockRemovedError.
 */
export async function confirmBlocks(tx: Transaction, ids: readonly number[]): Promise<void> {
  await holdBlocks(tx);
  const [row] = await tx<{ found: number }[]>`
    select count(*)::integer as found from blocks where id = any(${ids as number[]}::integer[])`;
  if (row?.found !== ids.length) throw new BlockRemovedError('an idle block was removed');
}

/** Until the transaction ends, no block and no part is removed. */
export async function holdBlocks(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${BLOCKS_LOCK}::bigint)`;
}

/** Blocks without a row for this long may be removed soon: half of the shortest retention of idle blocks, ms. */
export const IDLE_BLOCK_MS = DAY_MS / 2;

/**
 * Deletes blocks without rows, with their slots and latest values: those of services deleted a day ago, and those without
 * rows for the longest retention. Ids are never reused. Returns the number of deleted blocks.
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
      // Checks the blocks again under the lock, which excludes writers that are about to add rows.
      const still = await findDead(tx, dead, now, retention);
      await tx`delete from block_latest where block_id = any(${still}::integer[])`;
      const blocks = await tx<{ service_id: string; parts: number[] }[]>`
        delete from blocks where id = any(${still}::integer[]) returning service_id, parts`;
      await removeUnnamedParts(tx, [...new Set(blocks.flatMap(({ parts }) => parts))]);
      const ofParts = blocks.filter(({ parts }) => parts.length > 0).map((block) => block.service_id);
      await deleteUnusedLiveParts(tx, [...new Set(ofParts)]);
      return blocks.length;
    });
  }
}

/** Deletes those of the parts that no block names any more. */
async function removeUnnamedParts(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    delete from parts p where p.id = any(${ids}::integer[])
      and not exists (select from blocks b
        where b.organization_id = p.organization_id and b.service_id = p.service_id and b.subject_kind = 'part' and p.id = any(b.parts))`;
}

/**
 * Whether the log names no records of another block `o` after `b`: it names those of a subject by its first block, which therefore
 * stays until the others are gone.
 */
function namesNoOther(sql: Queryable, state: SampleState) {
  if (!writesLayout(state, 'log')) return sql`true`;
  return sql`not exists (
    select from blocks o
    where o.organization_id = b.organization_id and o.service_id = b.service_id and o.subject_kind = b.subject_kind
      and o.subject_name = b.subject_name and o.ordinal > b.ordinal)`;
}

async function findDead(sql: Queryable, ids: number[], now: number, retention: RetentionDays) {
  const quietSince = now - retention[COARSEST_TIER] * DAY_MS;
  const state = await sampleStateOf(sql);
  const rows = await sql<{ id: number }[]>`
    select b.id from blocks b
    left join services s on s.organization_id = b.organization_id and s.id = b.service_id
    left join block_latest l on l.block_id = b.id
    where b.id = any(${ids}::integer[])
      and (s.deleted_at < ${now - DELETED_FOR_MS}::timestamptz
        or b.created_at < ${quietSince}::timestamptz and ${namesNoOther(sql, state)}
          and coalesce(l.applied_at, '-infinity') < ${quietSince}::timestamptz)`;
  const quiet = rows.map((row) => row.id);
  return await storedSeries.emptyBlocks(sql, quiet);
}
