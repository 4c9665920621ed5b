export const AGGREGATES = ['avg', 'min', 'max', 'sum', 'count', 'p5', 'p50', 'p95', 'p99'] as const;

/** The function that combines the values of many hosts into one value. */
export type Aggregate = (typeof AGGREGATES)[number];

const RANKS: Partial<Record<Aggregate, number>> = { p5: 0.05, p50: 0.5, p95: 0.95, p99: 0.99 };

/** The steps that have a value, in order of time; `step` is the index of the step within the range, from 0. */
export interface AggregatedSteps {
  step: number[];
  value: number[];
}

/** Collects the values of many hosts for each step of a range, and aggregates them over the hosts. */
export class StepAggregate {
  readonly #aggregate: Aggregate;
  readonly #counts: Uint32Array;
  readonly #values: Float64Array;
  /** All values of each step, kept only for aggregates that need them; otherwise null. */
  readonly #all: number[][] | null;

  constructor(aggregate: Aggregate, steps: number) {
    this.#aggregate = aggregate;
    this.#counts = new Uint32Array(steps);
    this.#values = new Float64Array(RANKS[aggregate] === undefined ? steps : 0);
    this.#all = RANKS[aggregate] === undefined ? null : Array.from({ length: steps }, () => []);
  }

  /** Adds the value of one host in one step; called at most once for each host and step. */
  add(step: number, value: number): void {
    const count = this.#counts[step] as number;
    this.#counts[step] = count + 1;
    if (this.#all !== null) {
      (this.#all[step] as number[]).push(value);
      return;
    }
    const before = this.#values[step] as number;
    this.#values[step] = count === 0 ? value : this.#merge(before, value);
  }

  /** Returns the aggregates of the steps in which at least one host has a value. */
  finish(): AggregatedSteps {
    const steps: AggregatedSteps = { step: [], value: [] };
    for (const [step, count] of this.#counts.entries()) {
      if (count === 0) continue;
      steps.step.push(step);
      steps.value.push(this.#valueOf(step, count));
    }
    return steps;
  }

  #merge(before: number, value: number): number {
    if (this.#aggregate === 'min') return Math.min(before, value);
    return this.#aggregate === 'max' ? Math.max(before, value) : before + value;
  }

  #valueOf(step: number, count: number): number {
    const rank = RANKS[this.#aggregate];
    if (rank !== undefined) return percentile((this.#all as number[][])[step] as number[], rank);
    if (this.#aggregate === 'count') return count;
    const value = this.#values[step] as number;
    return this.#aggregate === 'avg' ? value / count : value;
  }
}

/**
 * The percentile at `share` (0 to 1) of the values, interpolated as PostgreSQL's `percentile_cont` does: p50 of 10 and 20
 * is 15. Sorts `values`, which must not be empty.
 */
export function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  const place = share * (values.length - 1);
  const below = values[Math.floor(place)] as number;
  const above = values[Math.ceil(place)] as number;
  const rest = place - Math.floor(place);
  // Computed as two products, since the difference of two huge doubles may overflow.
  return below === above ? below : below * (1 - rest) + above * rest;
}

/** The mean of a group's values, by which groups are ranked; -Infinity for a group without values. */
export function rankOf({ value }: AggregatedSteps): number {
  if (value.length === 0) return Number.NEGATIVE_INFINITY;
  return value.reduce((sum, each) => sum + each / value.length, 0);
}
