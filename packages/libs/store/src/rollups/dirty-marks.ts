import { perRollupTier, ROLLUP_TIERS, type RollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { Transaction } from '@tidewatch/database/connection';
import { bucketOf, TIER_MS } from '@tidewatch/domain/rollup/buckets';
import type { RowBlock } from '../samples/sample-rows.ts';

/** Collects the buckets of a transaction whose rollups are stale. */
export class DirtyMarks<B extends RowBlock> {
  #marks = noMarks<B>();

  /** Marks the bucket of `tier` that contains `time`. */
  add(tier: RollupTier, block: B, time: number): void {
    const bucket = bucketOf(time, TIER_MS[tier]);
    const buckets = this.#marks[tier].get(block);
    if (buckets === undefined) this.#marks[tier].set(block, new Set([bucket]));
    else buckets.add(bucket);
  }

  /** Marks the buckets of all tiers, so that readers of each tier see at once that they are stale. */
  addLate(block: B, time: number): void {
    for (const tier of ROLLUP_TIERS) this.add(tier, block, time);
  }

  clear(): void {
    this.#marks = noMarks();
  }

  /** Writes the marks, sorted so that concurrent writers cannot deadlock; returns how many. */
  async write(tx: Transaction): Promise<number> {
    let written = 0;
    for (const [tier, marks] of Object.entries(this.#marks)) {
      const rows: { id: number; bucket: number }[] = [];
      for (const [block, buckets] of marks) for (const bucket of buckets) rows.push({ id: block.id, bucket });
      if (rows.length === 0) continue;
      rows.sort((a, b) => a.id - b.id || a.bucket - b.bucket);
      // "do update" locks an existing mark, so that a drain cannot delete it before it can see the rows of this
      // transaction.
      await tx`
        insert into dirty_buckets (tier, block_id, bucket)
        select ${tier}, d.block_id, to_timestamp(d.seconds)
        from unnest(${rows.map((row) => row.id)}::integer[], ${rows.map((row) => row.bucket / 1000)}::float8[])
          as d (block_id, seconds)
        on conflict (tier, block_id, bucket) do update set marked_at = excluded.marked_at`;
      written += rows.length;
    }
    return written;
  }
}

function noMarks<B>(): Record<RollupTier, Map<B, Set<number>>> {
  return perRollupTier(() => new Map());
}
