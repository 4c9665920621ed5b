import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { Limits } from '@tidewatch/domain/preview/limits';
import { type Hour, LOUD, QUIET, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import { Turn } from '../../event-loop/turn.ts';
import { readBackfilled } from '../rows/samples.ts';
import type { HoursRequest, KnownBlocks, Samples, SlotHours, Steps, WatchedSlot } from '../series-columns.ts';
import { GrowingSteps, mergeInto, stepsOf } from './steps/step-columns.ts';
import { readStepSource } from './steps/step-source.ts';

/** The hours of one slot that have values, as columns until they are used. */
class HoursOfSlot implements SlotHours {
  readonly #starts: Float64Array;
  readonly #values: Float64Array;
  readonly #loudness: Uint8Array;
  /** Every hour is known. */
  readonly assumedFrom = Number.POSITIVE_INFINITY;
  readonly hasBackfill: boolean;

  constructor(
    kept: { starts: Float64Array; values: Float64Array; loudness: Uint8Array },
    hasBackfill: boolean,
  ) {
    this.#starts = kept.starts;
    this.#values = kept.values;
    this.#loudness = kept.loudness;
    this.hasBackfill = hasBackfill;
  }

  get hours(): Hour[] {
    return Array.from(this.#starts, (start, index) => ({
      start,
      loudness: this.#loudness[index] as number,
      values: this.#values[index] as number,
    }));
  }
}

/** Reads the hours of each slot that have values, in the order of the slots. */
export async function readHours(
  tx: Queryable,
  watched: readonly WatchedSlot[],
  { from, to, retained, leavesQuietOut }: HoursRequest,
  known?: KnownBlocks,
): Promise<SlotHours[]> {
  const range = { from, to };
  const wanted = watched.map(({ blockId, slot }) => ({ blockId, ...range, mask: 1 << slot }));
  const source = await readStepSource(tx, wanted, { tier: '1h', retained }, known);
  const spans = watched.map(({ blockId, slot }) => ({ blockId, slot, ...range }));
  const late = from < retained.raw ? await readBackfilled(tx, spans) : [];
  const found: SlotHours[] = [];
  const turn = new Turn();
  const gathered = new GrowingSteps();
  for (const [index, { blockId, slot, limits }] of watched.entries()) {
    gathered.clear();
    source.addSteps(gathered, blockId, slot, range, HOUR_MS);
    const more: Samples | undefined = late[index];
    const hasBackfill = more !== undefined && more.times.length > 0;
    if (hasBackfill) mergeInto(gathered, stepsOf(more, HOUR_MS));
    found.push(new HoursOfSlot(keptHours(gathered.steps(), limits, leavesQuietOut), hasBackfill));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return found;
}

function keptHours({ at, count, min, max }: Steps, limits: Limits | null, leavesQuietOut: boolean) {
  const loudness = Uint8Array.from(at, (_, hour) =>
    loudnessOf(min[hour] as number, max[hour] as number, limits),
  );
  if (!leavesQuietOut) return { starts: at, values: count, loudness };
  const isLoud = (hour: number) => (loudness[hour] ?? QUIET) !== QUIET;
  // Of quiet hours those next to others are kept, and the last one.
  const kept = [...at.keys()].filter(
    (hour) => isLoud(hour - 1) || isLoud(hour) || isLoud(hour + 1) || hour === at.length - 1,
  );
  return {
    starts: Float64Array.from(kept, (hour) => at[hour] as number),
    values: Float64Array.from(kept, (hour) => count[hour] as number),
    loudness: Uint8Array.from(kept, (hour) => loudness[hour] as number),
  };
}

/** How limits see an hour by its minimum and maximum: whether a value may breach, or all are past every recovery threshold. */
function loudnessOf(min: number, max: number, limits: Limits | null): number {
  if (limits === null) return LOUD;
  const { low, high, outside, clearAbove, clearBelow, margin } = limits;
  const slack = margin * Math.max(Math.abs(min), Math.abs(max));
  const [least, greatest] = [min - slack, max + slack];
  const breaches = outside ? least < low || greatest > high : greatest >= low && least <= high;
  if (breaches) return LOUD;
  return least > clearAbove && greatest < clearBelow ? QUIET : UNCLEAR;
}
