import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import type { StepMeans, Steps } from '../series-columns.ts';

/**
 * A row of a query: block, start of the step in ms, and for each slot the packed sum, count, min and max (or mean) as text.
 */
export type PackedRow = [blockId: number, at: number, packed: string];

/** The steps of each slot of one block, in the order of the slots. Rows of the same step from several tiers are merged. */
export function mergeSteps(rows: PackedRow[], slots: number): Steps[] {
  rows.sort(([, a], [, b]) => a - b);
  const columns = Array.from({ length: slots }, () => new GrowingSteps(rows.length));
  const numbers = new Float64Array(4 * slots);
  for (const [, at, packed] of rows) {
    unpackNumbers(packed, numbers);
    for (let slot = 0; slot < slots; slot++)
      if (numbers[4 * slot + 1] !== 0) columns[slot]?.add(at, numbers, 4 * slot);
  }
  return columns.map((own) => own.finish());
}

/** Columns of steps that are added in the order of time. */
class GrowingSteps {
  readonly #at: Float64Array;
  readonly #sum: Float64Array;
  readonly #count: Float64Array;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  #length = 0;

  constructor(max: number) {
    this.#at = new Float64Array(max);
    this.#sum = new Float64Array(max);
    this.#count = new Float64Array(max);
    this.#min = new Float64Array(max);
    this.#max = new Float64Array(max);
  }

  /** Adds sum, count, min and max, which begin at `place` of `numbers`. */
  add(at: number, numbers: Float64Array, place: number): void {
    const [sum, count, min, max] = [
      numbers[place] as number,
      numbers[place + 1] as number,
      numbers[place + 2] as number,
      numbers[place + 3] as number,
    ];
    const last = this.#length - 1;
    if (last >= 0 && this.#at[last] === at) {
      this.#sum[last] = (this.#sum[last] as number) + sum;
      this.#count[last] = (this.#count[last] as number) + count;
      this.#min[last] = Math.min(this.#min[last] as number, min);
      this.#max[last] = Math.max(this.#max[last] as number, max);
      return;
    }
    const next = this.#length++;
    this.#at[next] = at;
    this.#sum[next] = sum;
    this.#count[next] = count;
    this.#min[next] = min;
    this.#max[next] = max;
  }

  finish(): Steps {
    const cut = (column: Float64Array) =>
      this.#length === column.length ? column : column.slice(0, this.#length);
    return {
      at: cut(this.#at),
      sum: cut(this.#sum),
      count: cut(this.#count),
      min: cut(this.#min),
      max: cut(this.#max),
    };
  }
}

/** The means of each slot, from rows with only means, one for each step. */
export function collectMeans(rows: PackedRow[], slots: number): StepMeans[] {
  rows.sort(([, a], [, b]) => a - b);
  const at = Array.from({ length: slots }, () => new Float64Array(rows.length));
  const means = Array.from({ length: slots }, () => new Float64Array(rows.length));
  const lengths = new Uint32Array(slots);
  const numbers = new Float64Array(slots);
  for (const [, time, packed] of rows) {
    unpackNumbers(packed, numbers);
    for (let slot = 0; slot < slots; slot++) {
      const mean = numbers[slot] as number;
      if (Number.isNaN(mean)) continue;
      const next = lengths[slot] as number;
      (at[slot] as Float64Array)[next] = time;
      (means[slot] as Float64Array)[next] = mean;
      lengths[slot] = next + 1;
    }
  }
  return at.map((times, slot) => ({
    at: times.slice(0, lengths[slot]),
    mean: (means[slot] as Float64Array).slice(0, lengths[slot]),
  }));
}

/** The means of steps. */
export function meansOf({ at, sum, count }: Steps): StepMeans {
  return { at, mean: sum.map((each, index) => each / (count[index] as number)) };
}
