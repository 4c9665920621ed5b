import { perRollupTier, ROLLUP_TIERS, type RollupTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { KnownBlocks, Range } from '../series-columns.ts';
import type { BlockFacts } from './spans.ts';

/** How far the rollups of blocks are complete. */
export class KnownRows implements KnownBlocks {
  readonly range: Range;
  readonly #facts: ReadonlyMap<number, BlockFacts>;

  constructor(range: Range, facts: readonly BlockFacts[]) {
    this.range = range;
    this.#facts = new Map(facts.map((each) => [each.blockId, each]));
  }

  /** The facts of these blocks; a block without a standing, since it was removed, has none. */
  of(blockIds: readonly number[]): BlockFacts[] {
    return blockIds.flatMap((id) => this.#facts.get(id) ?? []);
  }
}

/** The facts of blocks in a range: those that are known, or else read. */
export async function factsOf(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
  known: KnownBlocks | undefined,
): Promise<BlockFacts[]> {
  if (known === undefined) return await readFacts(tx, blockIds, range);
  if (!(known instanceof KnownRows)) throw new TypeError('the blocks are known to another reader');
  return known.of(blockIds);
}

const NEVER = Number.NEGATIVE_INFINITY;
const OPEN_FROM = ROLLUP_TIERS.map((tier) => `open_${tier} as "${tier}"`).join(', ');

/** Reads up to when blocks are rolled up, and which buckets that touch the range are stale. */
export async function readFacts(
  tx: Queryable,
  blockIds: readonly number[],
  { from, to }: Range,
): Promise<BlockFacts[]> {
  const [standing, stale] = await Promise.all([
    tx<(Record<RollupTier, number | null> & { blockId: number })[]>`
      select block_id as "blockId", ${tx.unsafe(OPEN_FROM)}
      from rollup_standing(${blockIds as number[]}::int[])`,
    tx<{ blockId: number; tier: RollupTier; bucket: number }[]>`
      select block_id as "blockId", tier, bucket
      from stale_buckets(${blockIds as number[]}::int[], ${from - DAY_MS}, ${to + DAY_MS})`,
  ]);
  const facts = new Map(
    standing.map(({ blockId, ...open }) => {
      const openFrom = perRollupTier((tier) => open[tier] ?? NEVER);
      return [blockId, { blockId, openFrom, dirty: [] as (typeof stale)[number][] }];
    }),
  );
  for (const mark of stale) facts.get(mark.blockId)?.dirty.push(mark);
  return [...facts.values()];
}

/** The facts of a block of which nothing is rolled up. */
export function untouched(blockId: number): BlockFacts {
  return { blockId, openFrom: perRollupTier(() => NEVER), dirty: [] };
}
