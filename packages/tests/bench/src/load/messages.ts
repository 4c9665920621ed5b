import type { Ledger } from '../ledger/ledger.ts';
import type { Percentiles } from '../measure/percentile.ts';
import type { Plan } from './plan.ts';

/** The messages between the bench and its generator process. */
export interface GeneratorOrder {
  plan: Plan;
  url: string;
  /** The addresses of ingest if they differ from `url`; connections use them in turn. */
  ingestUrls?: readonly string[];
  key: string;
  /** After how many seconds no more requests start; null to send the whole plan. */
  seconds: number | null;
  /**
   * The rate of all connections together in samples a second; null for the plan's own pace, or as fast as responses arrive.
   */
  rate: number | null;
  /** The number of first ticks that are not measured; every connection sends the first of them before any continues. */
  warmUpTicks: number;
}

export type ToGenerator =
  | { type: 'order'; order: GeneratorOrder }
  /** Changes the rate of the load, samples a second. */
  | { type: 'rate'; rate: number }
  | { type: 'stop' };

/** The figures of the warm-up, or of the time after it. Times are in ms unless their names say seconds. */
export interface PhaseResult {
  /** The time from the first request of the phase to its last response, seconds. */
  seconds: number;
  requests: number;
  payloads: number;
  /** The time from the first byte of a request's first attempt to its response 200, including retries. */
  latency: Percentiles;
  /**
   * The time from when a request was due to its response, so that a stall counts for all requests that it delayed; null
   * without a pace.
   */
  latencyFromPlan: Percentiles | null;
  /** How late requests were sent after they were due; null without a pace. */
  lag: Percentiles | null;
}

export interface GeneratorResult {
  ledger: Ledger;
  /** The first tick of a run with a warm-up, else null. */
  firstContact: PhaseResult | null;
  /** Everything after the warm-up. */
  measured: PhaseResult;
  /** The number of payloads acknowledged in each second of the measured phase. */
  perSecond: number[];
  /** The number of responses other than 200 by status, and of lost connections (as 0), over the whole run. */
  refusals: Record<string, number>;
  /** The processor time of the generator, over the whole run and after the warm-up. */
  cpuSeconds: number;
  measuredCpuSeconds: number;
}

export type FromGenerator =
  | { type: 'progress'; payloads: number }
  // The first tick of the warm-up is stored (`firstContact`); the warm-up is over, and the next payload is measured
  // (`measuring`).
  | { type: 'firstContact' }
  | { type: 'measuring' }
  | { type: 'result'; result: GeneratorResult };
