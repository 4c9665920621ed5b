import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import type { Fence } from '../../leases/lease.ts';
import { DELETED_FOR_MS } from '../../retention/dead-blocks.ts';
import { ensureChunkPartitions } from './seal-snapshots.ts';

export interface SnapshotRound {
  /** ms */
  now: number;
  fence?: Fence | undefined;
}

/** The number of services that one transaction deletes the snapshots of. */
const PART = 500;

/** Creates the partitions of chunks from yesterday to 48 h ahead; returns how many. */
export async function ensureChunksAhead(sql: Sql, { now, fence }: SnapshotRound): Promise<number> {
  return await transact(sql, async (tx) => {
    await fence?.(tx);
    return await ensureChunkPartitions(
      tx,
      [-1, 0, 1, 2].map((days) => now + days * DAY_MS),
    );
  });
}

/** Drops the partitions of chunks whose retention has ended; returns their names. */
export async function enforceSnapshotRetention(
  sql: Sql,
  retention: RetentionDays,
  { now, fence }: SnapshotRound,
): Promise<string[]> {
  return await transact(sql, async (tx) => {
    // As for partitions of rows: a long query delays this, rather than what would queue behind its lock.
    await tx`set local lock_timeout = '2s'`;
    await fence?.(tx);
    const rows = await tx<{ name: string }[]>`
      select name from drop_packed_partitions('snapshot_chunks', ${now - retention.snapshots * DAY_MS}::timestamptz) as name`;
    return rows.map(({ name }) => name);
  });
}

/**
 * Deletes the chunks of services that were deleted a day before `now` (ms); returns how many. What the log has of them is discarded
 * when it is sealed.
 */
export async function deleteSnapshots(sql: Sql, { now, fence }: SnapshotRound): Promise<number> {
  let deleted = 0;
  for (let after = ''; ; ) {
    const services = await sql<{ id: string }[]>`
      select id from services where deleted_at < ${now - DELETED_FOR_MS}::timestamptz and id > ${after} order by id limit ${PART}`;
    const last = services.at(-1);
    if (last === undefined) return deleted;
    after = last.id;
    const { count } = await transact(sql, async (tx) => {
      await fence?.(tx);
      return await tx`delete from snapshot_chunks where service_id = any(${services.map(({ id }) => id)}::text[])`;
    });
    deleted += count;
  }
}
