import type { Plan } from '../load/plan.ts';

export interface YardstickOrder {
  plan: Plan;
  dataDir: string;
}

/** CPU-seconds for a million samples of what no such service can do without, on this machine, now. */
export interface Yardstick {
  parse: number;
  copy: number;
  total: number;
  /** The number of samples in one round. */
  samples: number;
}
