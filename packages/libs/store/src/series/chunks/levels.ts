import type { Queryable } from '@tidewatch/database/connection';
import { TIER_MS } from '@tidewatch/domain/rollup/buckets';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { Turn } from '../../event-loop/turn.ts';
import type { KnownBlocks, Levels, LevelsRequest, Range } from '../series-columns.ts';
import { GrowingSteps } from './steps/step-columns.ts';
import { readStepSource } from './steps/step-source.ts';

const EVERY_SLOT = 2 ** SLOTS_PER_BLOCK - 1;
/** The max magnitude of means, so that their squares are finite. */
const MAX_MEAN = 1e140;

/** Reads the levels of every slot of blocks. */
export async function readLevels(
  tx: Queryable,
  blockIds: readonly number[],
  { tier, from, turn, to, retained }: LevelsRequest,
  known?: KnownBlocks,
): Promise<Map<number, Levels>> {
  const before = { from, to: turn };
  const since = { from: turn, to };
  const wanted = blockIds.flatMap((blockId) => [
    { blockId, ...before, mask: EVERY_SLOT },
    { blockId, ...since, mask: EVERY_SLOT },
  ]);
  const source = await readStepSource(tx, wanted, { tier, retained }, known);
  const found = new Map<number, Levels>();
  const yielding = new Turn();
  const gathered = new GrowingSteps();
  for (const blockId of blockIds) {
    const columns = Array.from({ length: 4 }, () => new Float64Array(SLOTS_PER_BLOCK).fill(Number.NaN));
    const [mean, deviation, max, min] = columns as [Float64Array, Float64Array, Float64Array, Float64Array];
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const usual = meansOf(blockId, slot, before);
      const late = meansOf(blockId, slot, since);
      if (usual.length > 0) [mean[slot], deviation[slot]] = spreadOf(usual);
      for (const each of late) {
        if (!(each <= (max[slot] as number))) max[slot] = each;
        if (!(each >= (min[slot] as number))) min[slot] = each;
      }
    }
    const hasBoth = !mean.every(Number.isNaN) && !max.every(Number.isNaN);
    if (hasBoth) found.set(blockId, { mean, deviation, max, min });
    if (yielding.isOver) await yielding.yieldWhenDue();
  }
  return found;

  function meansOf(blockId: number, slot: number, range: Range): Float64Array {
    gathered.clear();
    source.addSteps(gathered, blockId, slot, range, TIER_MS[tier]);
    return gathered.means().mean.map((mean) => Math.max(-MAX_MEAN, Math.min(mean, MAX_MEAN)));
  }
}

/** The mean and the standard deviation of numbers. */
function spreadOf(numbers: Float64Array): [mean: number, deviation: number] {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const squares = numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return [mean, Math.sqrt(squares / numbers.length)];
}
