import type { Plan } from './plan.ts';

/** The random walks of a host. Values are in hundredths, so that `value / 100` has at most two decimals. */
export interface Walk {
  /** The values of the current tick. The array is reused for the next tick. */
  readonly values: Int32Array;
  next(): void;
}

const HOT = 50;

/**
 * Creates walks with steps of at most one unit within the host's band. Every fiftieth host walks between 0 and 100 and so
 * trips rules; the others keep to a band of 40 below 80.
 */
export function createWalk(plan: Pick<Plan, 'seed' | 'metrics'>, host: number): Walk {
  let state = (plan.seed ^ Math.imul(host + 1, 0x9e3779b1)) >>> 0 || 1;
  function random(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  }

  const values = new Int32Array(plan.metrics);
  const low = new Int32Array(plan.metrics);
  const high = new Int32Array(plan.metrics);
  for (let metric = 0; metric < plan.metrics; metric += 1) {
    const hot = host % HOT === 0;
    const from = hot ? 0 : random() % 4000;
    const to = hot ? 10_000 : from + 4000;
    low[metric] = from;
    high[metric] = to;
    values[metric] = from + (random() % (to - from));
  }

  return {
    values,
    next() {
      for (let metric = 0; metric < values.length; metric += 1) {
        const value = (values[metric] as number) + (random() % 201) - 100;
        const bottom = low[metric] as number;
        const top = high[metric] as number;
        values[metric] = value < bottom ? 2 * bottom - value : value > top ? 2 * top - value : value;
      }
    },
  };
}
