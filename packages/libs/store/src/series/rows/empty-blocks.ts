import { ROLLUP_TIERS, TIER_FACTS, TIERS } from '@tidewatch/contracts/rollups/tiers';
import type { Queryable } from '@tidewatch/database/connection';

const HAS_NO_ROWS = [...TIERS.map((tier) => TIER_FACTS[tier].relation), 'samples_backfill']
  .map((relation) => `and not exists (select from ${relation} where block_id = b.id)`)
  .join(' ');

/** Those of the blocks that have no row, and no mark of one that is still to be rolled up. */
export async function readEmptyBlocks(tx: Queryable, blockIds: readonly number[]): Promise<number[]> {
  if (blockIds.length === 0) return [];
  const rows = await tx<{ id: number }[]>`
    select b.id from unnest(${blockIds as number[]}::integer[]) as b (id)
    where not exists (select from dirty_buckets where block_id = b.id and tier = any(${ROLLUP_TIERS}::text[]))
      ${tx.unsafe(HAS_NO_ROWS)}`;
  return rows.map((row) => row.id);
}
