import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import type { Fence } from '../leases/lease.ts';
import { DELETED_FOR_MS } from '../retention/dead-blocks.ts';
import { takeClosedDays } from './closed-days.ts';
import { PACKED_SPANS } from './packed-partitions.ts';

/** The number of blocks that one transaction deletes. */
const PART = 500;

/**
 * Deletes the packed samples and rollups of services that were deleted a day before `now` (ms). Returns how many rows were
 * deleted.
 */
export async function deletePackedSamples(sql: Sql, now: number, fence?: Fence): Promise<number> {
  let deleted = 0;
  for (let after = 0; ; ) {
    const blocks = await sql<{ id: number }[]>`
      select b.id from services s join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
      where s.deleted_at < ${now - DELETED_FOR_MS}::timestamptz and b.id > ${after} order by b.id limit ${PART}`;
    const last = blocks.at(-1);
    if (last === undefined) return deleted;
    after = last.id;
    deleted += await transact(sql, async (tx) => {
      await fence?.(tx);
      return await deleteBlocks(
        tx,
        blocks.map((block) => block.id),
      );
    });
  }
}

/** Deletes what is packed of these blocks; returns how many rows. What the log has of them is discarded when it is sealed. */
export async function deleteBlocks(tx: Transaction, blockIds: readonly number[]): Promise<number> {
  await takeClosedDays(tx);
  let deleted = 0;
  for (const relation of Object.keys(PACKED_SPANS)) {
    const { count } =
      await tx`delete from ${tx(relation)} where block_id = any(${blockIds as number[]}::integer[])`;
    deleted += count;
  }
  return deleted;
}
