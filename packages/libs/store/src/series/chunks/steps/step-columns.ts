import { DOUBLES, scaleNumbers } from '@tidewatch/domain/chunk/numbers';
import { ScratchNumbers } from '@tidewatch/domain/chunk/scratch-numbers';
import { exactSum, sumOfScaled } from '@tidewatch/domain/rollup/exact-sum';
import type { Samples, StepMeans, Steps } from '../../series-columns.ts';

const MIN_STEPS = 64;

const scaled = new ScratchNumbers();

/** Columns of steps that are added in the order of time; what is added to the last step again is combined with it. */
export class GrowingSteps {
  #at = new Float64Array(MIN_STEPS);
  #sum = new Float64Array(MIN_STEPS);
  #count = new Float64Array(MIN_STEPS);
  #min = new Float64Array(MIN_STEPS);
  #max = new Float64Array(MIN_STEPS);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  add(at: number, sum: number, count: number, min: number, max: number): void {
    const last = this.#length - 1;
    if (last >= 0 && this.#at[last] === at) {
      this.#sum[last] = (this.#sum[last] as number) + sum;
      this.#count[last] = (this.#count[last] as number) + count;
      if (min < (this.#min[last] as number)) this.#min[last] = min;
      if (max > (this.#max[last] as number)) this.#max[last] = max;
      return;
    }
    const next = this.#length++;
    if (next === this.#at.length) this.#grow();
    this.#at[next] = at;
    this.#sum[next] = sum;
    this.#count[next] = count;
    this.#min[next] = min;
    this.#max[next] = max;
  }

  /** Adds samples, which are in the order of time. Their sums are those that rollups have. */
  addSamples({ times, values }: Samples, stepMs: number): void {
    const integers = scaled.of(values.length);
    const scale = scaleNumbers(values, values.length, integers);
    for (let row = 0; row < times.length; ) {
      const at = Math.floor((times[row] as number) / stepMs) * stepMs;
      const end = at + stepMs;
      const first = row;
      let min = Number.POSITIVE_INFINITY;
      let max = Number.NEGATIVE_INFINITY;
      for (; row < times.length && (times[row] as number) < end; row += 1) {
        const value = values[row] as number;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      const sum = scale === DOUBLES ? exactSum(values, first, row) : sumOfScaled(integers, first, row, scale);
      this.add(at, sum, row - first, min, max);
    }
  }

  #grow(): void {
    const wider = (column: Float64Array) => {
      const next = new Float64Array(2 * column.length);
      next.set(column);
      return next;
    };
    this.#at = wider(this.#at);
    this.#sum = wider(this.#sum);
    this.#count = wider(this.#count);
    this.#min = wider(this.#min);
    this.#max = wider(this.#max);
  }

  /** The steps so far. */
  steps(): Steps {
    const cut = (column: Float64Array) => column.slice(0, this.#length);
    return {
      at: cut(this.#at),
      sum: cut(this.#sum),
      count: cut(this.#count),
      min: cut(this.#min),
      max: cut(this.#max),
    };
  }

  /** Their means. */
  means(): StepMeans {
    const mean = this.#sum.slice(0, this.#length);
    for (let index = 0; index < mean.length; index += 1)
      mean[index] = (mean[index] as number) / (this.#count[index] as number);
    return { at: this.#at.slice(0, this.#length), mean };
  }
}

/** Combines the steps that are gathered with others, both in the order of time. */
export function mergeInto(gathered: GrowingSteps, others: Steps): void {
  if (others.at.length === 0) return;
  const own = gathered.steps();
  gathered.clear();
  let [left, right] = [0, 0];
  while (left < own.at.length || right < others.at.length) {
    const isOwn =
      right >= others.at.length ||
      (left < own.at.length && (own.at[left] as number) <= (others.at[right] as number));
    if (isOwn) addTo(gathered, own, left++);
    else addTo(gathered, others, right++);
  }
}

function addTo(into: GrowingSteps, { at, sum, count, min, max }: Steps, index: number): void {
  into.add(
    at[index] as number,
    sum[index] as number,
    count[index] as number,
    min[index] as number,
    max[index] as number,
  );
}

/** The steps of samples, which are in the order of time. */
export function stepsOf(samples: Samples, stepMs: number): Steps {
  const steps = new GrowingSteps();
  steps.addSamples(samples, stepMs);
  return steps.steps();
}
