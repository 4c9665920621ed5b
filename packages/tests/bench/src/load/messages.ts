import type { Ledger } from '../ledger/ledger.ts';
import type { Percentiles } from '../measure/percentile.ts';
import type { Plan } from './plan.ts';

/** The messages between the bench and its generator process. */
export interface GeneratorOrder {
  plan: Plan;
  url: string;
  /** The addresses of ingest, if not `url`; connections use them in turn. */
  ingestUrls?: readonly string[];
  key: string;
  /** The time after which no request starts, seconds; null sends the whole plan. */
  seconds: number | null;
  /** The rate of all connections together, samples a second; null means the plan's own pace, or as fast as answers arrive. */
  rate: number | null;
  /** Leading ticks that are not measured; every connection sends the first of them before any continues. */
  warmUpTicks: number;
}

export type ToGenerator =
  | { type: 'order'; order: GeneratorOrder }
  /** Changes the rate of the load, samples a second. */
  | { type: 'rate'; rate: number }
  | { type: 'stop' };

/** The figures of the warm-up, or of the time after it. Times are in milliseconds unless their names say seconds. */
export interface PhaseResult {
  /** The time from the phase's first request to its last answer, seconds. */
  seconds: number;
  requests: number;
  payloads: number;
  /** The time from the first byte of a request's first attempt to its answer 200, with all retries between. */
  latency: Percentiles;
  /**
   * The time from when a request was due to its answer, so that a stall counts for all requests that it delayed; null
   * without a pace.
   */
  latencyFromPlan: Percentiles | null;
  /** The delay between the time at which a request was due and the time at which it was sent; null without a pace. */
  lag: Percentiles | null;
}

export interface GeneratorResult {
  ledger: Ledger;
  /** The first tick of a run with a warm-up, else null. */
  firstContact: PhaseResult | null;
  /** Everything after the warm-up. */
  measured: PhaseResult;
  /** Payloads acknowledged in each second since the measured phase began. */
  perSecond: number[];
  /** Answers other than 200, and lost connections (as 0), by status, over the whole run. */
  refusals: Record<string, number>;
  /** Processor time of the generator over the whole run, and after the warm-up. */
  cpuSeconds: number;
  measuredCpuSeconds: number;
}

export type FromGenerator =
  | { type: 'progress'; payloads: number }
  // The first tick of a warm-up is stored; the warm-up is over and the next payload will be measured.
  | { type: 'firstContact' }
  | { type: 'measuring' }
  | { type: 'result'; result: GeneratorResult };
