import type { Plan } from '../load/plan.ts';

export interface YardstickOrder {
  plan: Plan;
  dataDir: string;
}

/** CPU-seconds per million samples of the work that no such service can avoid, on this machine at this time. */
export interface Yardstick {
  parse: number;
  copy: number;
  total: number;
  /** The number of samples in one round. */
  samples: number;
}
