import { perTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { Turn } from '../../event-loop/turn.ts';
import { readBackfilled } from '../rows/samples.ts';
import type {
  KnownBlocks,
  MinuteSpan,
  Minutes,
  MinutesOptions,
  PlaceSpan,
  RetainedFrom,
  Samples,
  TimesTier,
} from '../series-columns.ts';
import { slotKey } from '../slot-key.ts';
import { GrowingSteps, mergeInto, stepsOf } from './steps/step-columns.ts';
import { readStepSource, type StepSource } from './steps/step-source.ts';
import { readColumns } from './stored/read-columns.ts';

const NOTHING = new Float64Array();
const NO_MINUTES: Minutes = { at: NOTHING, min: NOTHING, max: NOTHING, mean: NOTHING };

/** Reads the minutes of several spans, in their order. */
export async function readMinutes(
  tx: Queryable,
  spans: readonly MinuteSpan[],
  { retained, withMean }: MinutesOptions,
): Promise<Minutes[]> {
  const found: Minutes[] = spans.map(() => NO_MINUTES);
  const late = await readLate(tx, spans, retained);
  const turn = new Turn();
  const gathered = new GrowingSteps();
  for (const [known, indices] of Map.groupBy(spans.keys(), (index) => (spans[index] as MinuteSpan).known)) {
    const source = await sourceOf(
      tx,
      indices.map((index) => spans[index] as MinuteSpan),
      retained,
      known,
    );
    for (const index of inOrderOfSlots(spans, indices)) {
      const { blockId, slot, from, to } = spans[index] as MinuteSpan;
      gathered.clear();
      source.addSteps(gathered, blockId, slot, { from, to }, MINUTE_MS);
      const more = late.get(index);
      if (more !== undefined) mergeInto(gathered, stepsOf(more, MINUTE_MS));
      const { at, sum, count, min, max } = gathered.steps();
      const mean = withMean ? sum.map((each, minute) => each / (count[minute] as number)) : min;
      found[index] = { at, min, max, mean };
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
  return found;
}

async function sourceOf(
  tx: Queryable,
  spans: readonly PlaceSpan[],
  retained: RetainedFrom,
  known: KnownBlocks | undefined,
): Promise<StepSource> {
  const wanted = spans.map(({ blockId, slot, from, to }) => ({ blockId, from, to, mask: 1 << slot }));
  return await readStepSource(tx, wanted, { tier: '1m', retained }, known);
}

/** The indices in an order in which those of one slot follow each other. */
function inOrderOfSlots(spans: readonly PlaceSpan[], indices: readonly number[]): number[] {
  return [...Map.groupBy(indices, (index) => slotKey(spans[index] as PlaceSpan)).values()].flat();
}

/** The backfilled samples of those of the spans that may have some, by index. */
async function readLate(
  tx: Queryable,
  spans: readonly MinuteSpan[],
  retained: RetainedFrom,
): Promise<Map<number, Samples>> {
  const asking = [...spans.entries()].filter(([, span]) => span.mayBeBackfilled && span.from < retained.raw);
  if (asking.length === 0) return new Map();
  const samples = await readBackfilled(
    tx,
    asking.map(([, { blockId, slot, from, to }]) => ({ blockId, slot, from, to })),
  );
  return new Map(asking.map(([index], at) => [index, samples[at] as Samples]));
}

/** How far before the end of a span is read first, ms: nearly all have enough values within it. */
const REACHES_MS = [HOUR_MS, DAY_MS, Number.POSITIVE_INFINITY];
const ALL_KEPT: RetainedFrom = perTier(() => Number.NEGATIVE_INFINITY);

/** Reads the times of the newest values of each span, or their minutes, at most `max`, oldest first. */
export async function readLastTimes(
  tx: Queryable,
  spans: readonly PlaceSpan[],
  tier: TimesTier,
  max: number,
): Promise<Float64Array[]> {
  const found: Float64Array[] = spans.map(() => NOTHING);
  let left = [...spans.keys()];
  for (const reachMs of REACHES_MS) {
    if (left.length === 0) break;
    const asked = left.map((index): PlaceSpan => {
      const span = spans[index] as PlaceSpan;
      return { ...span, from: Math.max(span.from, span.to - reachMs) };
    });
    const times = tier === 'raw' ? await lastSamples(tx, asked, max) : await lastMinutes(tx, asked, max);
    for (const [at, index] of left.entries()) found[index] = times[at] as Float64Array;
    left = left.filter((index, at) => {
      const isAll = asked[at]?.from === spans[index]?.from;
      return !isAll && (times[at] as Float64Array).length < max;
    });
  }
  return found;
}

async function lastSamples(tx: Queryable, spans: readonly PlaceSpan[], max: number): Promise<Float64Array[]> {
  const wanted = spans.map(({ blockId, slot, from, to }) => ({ blockId, from, to, mask: 1 << slot }));
  const columns = await readColumns(tx, wanted);
  return spans.map(
    ({ blockId, slot, from, to }) => columns.of(blockId).samples(slot, { from, to }, { last: max }).times,
  );
}

async function lastMinutes(tx: Queryable, spans: readonly PlaceSpan[], max: number): Promise<Float64Array[]> {
  const source = await sourceOf(tx, spans, ALL_KEPT, undefined);
  const gathered = new GrowingSteps();
  return spans.map(({ blockId, slot, from, to }) => {
    gathered.clear();
    source.addSteps(gathered, blockId, slot, { from, to }, MINUTE_MS);
    return gathered.steps().at.slice(-max);
  });
}
