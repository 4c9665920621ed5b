import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { Hour } from '@tidewatch/domain/preview/stretches';
import { Turn } from '../../event-loop/turn.ts';
import { readBackfilled } from '../rows/samples.ts';
import type { HoursRequest, KnownBlocks, Samples, SlotHours, WatchedSlot } from '../series-columns.ts';
import { type KeptHours, keptHours } from './kept-hours.ts';
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

  constructor(kept: KeptHours, hasBackfill: boolean) {
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
