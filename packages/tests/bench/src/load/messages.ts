import type { Ledger } from '../ledger/ledger.ts';
import type { Plan } from './plan.ts';

/** What the bench and its generator process say to each other. */
export interface GeneratorOrder {
  plan: Plan;
  url: string;
  key: string;
}

export type ToGenerator = { type: 'order'; order: GeneratorOrder } | { type: 'stop' };

export interface GeneratorResult {
  ledger: Ledger;
  /** Wall time from the first request to the last answer. */
  seconds: number;
  requests: number;
  /** Milliseconds, of accepted requests from their first byte; a retry counts as a request of its own. */
  latency: { p50: number; p99: number; max: number };
  /** Answers other than 200, and lost connections (as 0), by status. */
  refusals: Record<string, number>;
  /** How far a paced run fell behind its plan at worst, milliseconds. */
  worstDelayMs: number;
  cpuSeconds: number;
}

export type FromGenerator =
  | { type: 'progress'; payloads: number }
  | { type: 'result'; result: GeneratorResult };
