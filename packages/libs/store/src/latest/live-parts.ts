import type { Queryable, Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { copyInto } from '@tidewatch/database/copy/copy';
import { unpackNumbers, unpackTimes } from '@tidewatch/database/packed-numbers';
import type { LatestBlock } from './latest-block.ts';

/** The latest values of all parts of a host. */
export interface PartsLive {
  organizationId: string;
  serviceId: string;
  /** The blocks of its parts; those that are not stored yet have the id 0 and are left out. */
  blocks: readonly LatestBlock[];
}

/** Copies live rows of parts into a temporary table, of which `upsertLiveParts` stores them; `appliedAt` in ms. */
export async function stageLiveParts(
  tx: Transaction,
  hosts: readonly PartsLive[],
  appliedAt: number,
  buffer: BinaryRows,
): Promise<void> {
  await tx`create temp table if not exists staged_parts_live (like parts_live) on commit delete rows`;
  buffer.reset();
  for (const { organizationId, serviceId, blocks } of hosts) {
    const stored = blocks.filter(({ id }) => id !== 0);
    const at = newestOf(stored);
    if (at === Number.NEGATIVE_INFINITY) continue;
    buffer.row(7, 64);
    buffer.text(organizationId);
    buffer.text(serviceId);
    buffer.time(appliedAt);
    buffer.int4s(stored.map(({ id }) => id));
    buffer.time(at);
    if (
      stored.every(({ latestTimes }) =>
        latestTimes.every((time) => time === at || time === Number.NEGATIVE_INFINITY),
      )
    )
      buffer.null();
    else
      buffer.arrays(
        stored.map(({ latestTimes }) => latestTimes),
        true,
      );
    buffer.arrays(
      stored.map(({ latestValues }) => latestValues),
      false,
    );
  }
  const columns = 'organization_id, service_id, applied_at, blocks, at, times, vals';
  await copyInto(tx, `copy staged_parts_live (${columns}) from stdin (format binary)`, [buffer.finish()]);
}

/** The newest time of the blocks, ms. */
function newestOf(blocks: readonly LatestBlock[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { latestTimes } of blocks) for (const time of latestTimes) if (time > newest) newest = time;
  return newest;
}

/** Stores what is staged. Of two writers of a host, the one with the later `appliedAt` wins. */
export async function upsertLiveParts(tx: Transaction): Promise<void> {
  await tx`
    insert into parts_live as stored select * from staged_parts_live order by organization_id, service_id
    on conflict (organization_id, service_id) do update set
      applied_at = excluded.applied_at, blocks = excluded.blocks, at = excluded.at,
      times = excluded.times, vals = excluded.vals
    where stored.applied_at <= excluded.applied_at`;
}

/** Reads the latest values of these blocks of parts into them. */
export async function readPartLatest(tx: Queryable, blocks: readonly LatestBlock[]): Promise<void> {
  const own = new Map(blocks.map((block) => [block.id, block]));
  const rows = await tx<{ id: number; times: string; vals: string }[]>`
    select block_id as id, array_send(times)::text as times, array_send(vals)::text as vals
    from part_latest where block_id = any(${[...own.keys()]}::integer[]) and times is not null`;
  for (const { id, times, vals } of rows) {
    const block = own.get(id) as LatestBlock;
    unpackTimes(times, block.latestTimes);
    unpackNumbers(vals, block.latestValues);
    for (const [slot, value] of block.latestValues.entries())
      if (Number.isNaN(value)) block.latestTimes[slot] = Number.NEGATIVE_INFINITY;
  }
}

/**
 * Drops live rows of parts that are older than what a seal has stored of these blocks, as after a crash before they were written: until
 * the host sends again, its values are read from `block_latest`. A row that is being written stays.
 */
export async function dropOutdatedLiveParts(tx: Transaction, blockIds: readonly number[]): Promise<void> {
  if (blockIds.length === 0) return;
  await tx`
    delete from parts_live where (organization_id, service_id) in (
      select v.organization_id, v.service_id
      from blocks b
      join block_latest l on l.block_id = b.id
      join parts_live v on v.organization_id = b.organization_id and v.service_id = b.service_id
      join part_latest f on f.block_id = b.id
      where b.id = any(${blockIds as number[]}::integer[]) and exists (
        select from unnest(l.times, f.times) as t (sealed, live) where t.sealed > coalesce(t.live, '-infinity'))
      for update of v skip locked)`;
}

/** Deletes the live rows of those services that have no blocks of parts any more. */
export async function deleteUnusedLiveParts(tx: Transaction, serviceIds: readonly string[]): Promise<void> {
  if (serviceIds.length === 0) return;
  await tx`
    delete from parts_live v where v.service_id = any(${serviceIds as string[]}::text[]) and not exists (
      select from blocks b
      where b.organization_id = v.organization_id and b.service_id = v.service_id and b.subject_kind = 'part')`;
}
