import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { ChunkColumns } from '../chunk/chunk.ts';
import { DOUBLES, FACTORS, scaleNumbers } from '../chunk/numbers.ts';
import type { RollupColumns } from '../chunk/rollup-row.ts';
import { ScratchNumbers } from '../chunk/scratch-numbers.ts';
import { exactSum, sumOfScaled } from './exact-sum.ts';

export const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;
export const HOURS_PER_DAY = DAY_MS / HOUR_MS;
const MINUTES_PER_HOUR = HOUR_MS / MINUTE_MS;
/** Integers are exact doubles up to this. */
const MAX_EXACT = 2 ** 53;
/** The differences of integers below this have 32 bits. */
const MAX_SMALL = 2 ** 30;

/** The rollups of a block, by slot; null for a slot without samples. */
export type SlotRollups = readonly (RollupColumns | null)[];

/** The rollups of a block and UTC day: its minutes (step 0 begins at midnight), its hours, and the day as one step. */
export interface DayRollups {
  minutes: SlotRollups;
  hours: SlotRollups;
  day: SlotRollups;
}

const scaled = new ScratchNumbers();
const dense = new ScratchNumbers();

/**
 * Computes the rollups of a day from all samples of a block. They depend on the samples of their step alone, and sums are
 * those of `exactSum`. Throws RangeError for a time outside of the day that begins at `dayStart` (ms).
 */
export function rollUpDay(columns: ChunkColumns, dayStart: number): DayRollups {
  const steps = rollUpBySlot(columns, dayStart);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in steps of one slot, between which other work may be done: a slot has up to a million samples. */
export function* rollUpBySlot(columns: ChunkColumns, dayStart: number): Generator<void, DayRollups> {
  const { times, slots } = columns;
  const last = times[times.length - 1] as number;
  if (times.length > 0 && ((times[0] as number) < dayStart || last >= dayStart + DAY_MS))
    throw new RangeError(`samples of another day than ${new Date(dayStart).toISOString()}`);
  const starts = minuteStarts(times, dayStart);
  const rollups: (Record<keyof DayRollups, RollupColumns> | null)[] = [];
  for (const numbers of slots) {
    rollups.push(numbers === null ? null : rollUpSlot(numbers, starts));
    yield;
  }
  const own = (width: keyof DayRollups) => rollups.map((slot) => slot?.[width] ?? null);
  return { minutes: own('minutes'), hours: own('hours'), day: own('day') };
}

/** The first row of each minute, and behind the last minute the count of rows. */
function minuteStarts(times: Float64Array, dayStart: number): Int32Array {
  const starts = new Int32Array(MINUTES_PER_DAY + 1);
  let row = 0;
  for (let minute = 1; minute <= MINUTES_PER_DAY; minute += 1) {
    const end = dayStart + minute * MINUTE_MS;
    while (row < times.length && (times[row] as number) < end) row += 1;
    starts[minute] = row;
  }
  return starts;
}

function rollUpSlot(
  column: Float64Array,
  rowStarts: Int32Array,
): Record<keyof DayRollups, RollupColumns> | null {
  const { numbers, starts } = withoutGaps(column, rowStarts);
  const count = starts[MINUTES_PER_DAY] as number;
  if (count === 0) return null;
  const integers = scaled.of(count);
  const scale = scaleNumbers(numbers, count, integers);
  const isScaled = scale !== DOUBLES;
  const minutes =
    isScaled && areSmall(integers, count)
      ? minutesOfSmall(integers, starts)
      : minutesOf(isScaled ? integers : numbers, starts);
  const hours = coarserColumns(minutes, MINUTES_PER_HOUR);
  const day = coarserColumns(hours, HOURS_PER_DAY);
  for (const steps of [minutes, hours, day]) {
    const sum = (from: number, to: number) =>
      isScaled ? sumOfScaled(integers, from, to, scale) : exactSum(numbers, from, to);
    if (isScaled) unscale(steps, FACTORS[scale] as number);
    else steps.sums.fill(Number.NaN);
    addSums(steps, starts, sum);
  }
  return { minutes, hours, day };
}

/** Divides columns of integers by a factor, without the sums that may not be exact: these become NaN. */
function unscale({ sums, counts, mins, maxs }: RollupColumns, factor: number): void {
  for (let step = 0; step < counts.length; step += 1) {
    const [min, max] = [mins[step] as number, maxs[step] as number];
    const isExact = Math.max(max, -min) * (counts[step] as number) <= MAX_EXACT;
    sums[step] = isExact ? (sums[step] as number) / factor : Number.NaN;
    mins[step] = min / factor;
    maxs[step] = max / factor;
  }
}

/** Computes the sums that are NaN of steps with samples. */
function addSums(
  { sums, counts }: RollupColumns,
  starts: Int32Array,
  sum: (from: number, to: number) => number,
): void {
  const width = MINUTES_PER_DAY / sums.length;
  for (let step = 0; step < sums.length; step += 1)
    if (Number.isNaN(sums[step]) && !Number.isNaN(counts[step]))
      sums[step] = sum(starts[step * width] as number, starts[(step + 1) * width] as number);
}

/** The numbers of a column that are not NaN, and where those of each minute begin. */
function withoutGaps(
  column: Float64Array,
  rowStarts: Int32Array,
): { numbers: Float64Array; starts: Int32Array } {
  let isWhole = true;
  for (let row = 0; row < column.length && isWhole; row += 1) isWhole = !Number.isNaN(column[row]);
  if (isWhole) return { numbers: column, starts: rowStarts };
  const numbers = dense.of(column.length);
  const starts = new Int32Array(rowStarts.length);
  let taken = 0;
  for (let minute = 1; minute < rowStarts.length; minute += 1) {
    const end = rowStarts[minute] as number;
    for (let row = rowStarts[minute - 1] as number; row < end; row += 1) {
      const value = column[row] as number;
      if (!Number.isNaN(value)) numbers[taken++] = value;
    }
    starts[minute] = taken;
  }
  return { numbers, starts };
}

/** The minutes, whose sums are exact for integers that stay within MAX_EXACT. */
function minutesOf(numbers: Float64Array, starts: Int32Array): RollupColumns {
  const minutes = emptyColumns(MINUTES_PER_DAY);
  const { sums, counts, mins, maxs } = minutes;
  for (let minute = 0; minute < MINUTES_PER_DAY; minute += 1) {
    const from = starts[minute] as number;
    const to = starts[minute + 1] as number;
    if (from === to) continue;
    let min = numbers[from] as number;
    let max = min;
    let sum = min;
    for (let row = from + 1; row < to; row += 1) {
      const value = numbers[row] as number;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    sums[minute] = sum;
    counts[minute] = to - from;
    mins[minute] = min;
    maxs[minute] = max;
  }
  return minutes;
}

/** Whether the differences of integers have 32 bits. */
function areSmall(integers: Float64Array, count: number): boolean {
  let bits = 0;
  for (let index = 0; index < count; index += 1) {
    const value = integers[index] as number;
    const small = value | 0;
    if (small !== value) return false;
    bits |= small ^ (small >> 31);
  }
  return bits < MAX_SMALL;
}

/** The same without branches that no processor predicts: most minutes have few samples. */
function minutesOfSmall(integers: Float64Array, starts: Int32Array): RollupColumns {
  const minutes = emptyColumns(MINUTES_PER_DAY);
  const { sums, counts, mins, maxs } = minutes;
  for (let minute = 0; minute < MINUTES_PER_DAY; minute += 1) {
    const from = starts[minute] as number;
    const to = starts[minute + 1] as number;
    if (from === to) continue;
    let sum = integers[from] as number;
    let min = sum | 0;
    let max = min;
    for (let row = from + 1; row < to; row += 1) {
      const number = integers[row] as number;
      const value = number | 0;
      sum += number;
      const below = (value - min) | 0;
      min = (min + (below & (below >> 31))) | 0;
      const above = (value - max) | 0;
      max = (max + (above & ~(above >> 31))) | 0;
    }
    sums[minute] = sum;
    counts[minute] = to - from;
    mins[minute] = min;
    maxs[minute] = max;
  }
  return minutes;
}

/** Steps of `width` finer ones. */
export function coarserColumns(finer: RollupColumns, width: number): RollupColumns {
  const steps = emptyColumns(finer.counts.length / width);
  const { sums, counts, mins, maxs } = steps;
  for (let at = 0; at < finer.counts.length; at += 1) {
    const count = finer.counts[at] as number;
    if (Number.isNaN(count)) continue;
    const step = Math.floor(at / width);
    const min = finer.mins[at] as number;
    const max = finer.maxs[at] as number;
    const isFirst = Number.isNaN(counts[step]);
    sums[step] = isFirst ? (finer.sums[at] as number) : (sums[step] as number) + (finer.sums[at] as number);
    counts[step] = isFirst ? count : (counts[step] as number) + count;
    if (isFirst || min < (mins[step] as number)) mins[step] = min;
    if (isFirst || max > (maxs[step] as number)) maxs[step] = max;
  }
  return steps;
}

/** Columns of steps of which none has a sample. */
export function emptyColumns(steps: number): RollupColumns {
  const column = () => new Float64Array(steps).fill(Number.NaN);
  return { sums: column(), counts: column(), mins: column(), maxs: column() };
}
