import { perTier, type RollupTier, TIER_FACTS } from '@tidewatch/contracts/rollups/tiers';
import { bucketOf, TIER_MS, type Tier } from '@tidewatch/domain/rollup/buckets';

/** How far the rollups of one block are complete. Times are ms. */
export interface BlockFacts {
  blockId: number;
  /** The time from which on a tier has no rollups yet; -Infinity if there are none at all. */
  openFrom: Readonly<Record<RollupTier, number>>;
  /** Buckets whose rollup is stale, by the tier that they were marked in. */
  dirty: readonly { tier: RollupTier; bucket: number }[];
}

/** A range `[from, to)` of one block, ms. */
export interface Span {
  blockId: number;
  from: number;
  to: number;
}

export type Spans = Record<Tier, Span[]>;

/**
 * Divides `[from, to)` between tiers so that every sample counts once: the coarsest tier, and the next finer one for
 * buckets that are stale, still open or partly outside of the range. Before `retained[finer]`, the finer tier is read only
 * for marked buckets; other buckets are read whole from the coarser tier.
 */
export function spansOf(
  tier: Tier,
  range: { from: number; to: number },
  retained: Readonly<Record<Tier, number>>,
  blocks: readonly BlockFacts[],
): Spans {
  const spans: Spans = perTier(() => []);
  for (const block of blocks) read(block, tier, range.from, range.to, retained, spans);
  return spans;
}

function read(
  block: BlockFacts,
  tier: Tier,
  from: number,
  to: number,
  retained: Readonly<Record<Tier, number>>,
  spans: Spans,
): void {
  if (from >= to) return;
  const { blockId } = block;
  if (tier === 'raw') {
    spans.raw.push({ blockId, from, to });
    return;
  }
  const finer = TIER_FACTS[tier].source;
  const width = TIER_MS[tier];
  // From here on, the finer tier has all rows of a bucket.
  const divisible = Math.ceil(retained[finer] / width) * width;
  let at = from;
  for (const stale of staleStretches(block, tier, from, to, divisible)) {
    if (at < stale.from) spans[tier].push({ blockId, from: at, to: stale.from });
    read(block, finer, Math.max(stale.from, from), Math.min(stale.to, to), retained, spans);
    at = stale.to;
  }
  if (at < to) spans[tier].push({ blockId, from: at, to });
}

/** The stale buckets of a tier that touch `[from, to)` and start at or after `divisible`; adjoining ones are joined. */
function staleStretches(
  block: BlockFacts,
  tier: RollupTier,
  from: number,
  to: number,
  divisible: number,
): { from: number; to: number }[] {
  const width = TIER_MS[tier];
  const openFrom = Math.max(bucketOf(block.openFrom[tier], width), bucketOf(from, width), divisible);
  const stale = new Set<number>();
  const add = (time: number) => {
    const bucket = bucketOf(time, width);
    if (bucket + width > from && bucket < to && bucket < openFrom) stale.add(bucket);
  };
  if (from % width !== 0 && from >= divisible) add(from);
  if (to % width !== 0 && bucketOf(to, width) >= divisible) add(to);
  // A stale bucket makes the coarser buckets around it stale before these are marked. Retention keeps the rows from which a
  // marked bucket is computed.
  for (const { tier: marked, bucket } of block.dirty) if (TIER_MS[marked] <= width) add(bucket);
  const stretches: { from: number; to: number }[] = [];
  for (const bucket of [...stale].sort((a, b) => a - b)) {
    const last = stretches.at(-1);
    if (last?.to === bucket) last.to = bucket + width;
    else stretches.push({ from: bucket, to: bucket + width });
  }
  if (openFrom < to) {
    const last = stretches.at(-1);
    const end = Math.ceil(to / width) * width;
    if (last?.to === openFrom) last.to = end;
    else stretches.push({ from: openFrom, to: end });
  }
  return stretches;
}
