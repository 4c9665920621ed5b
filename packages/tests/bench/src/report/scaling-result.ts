import type { ConsumerName } from '../consumers.ts';
import type { LedgerReport } from '../ledger/check.ts';
import type { AlertReport } from '../ledger/compare-alerts.ts';

/**
 * The throughput and cost of a number of processes of one consumer under the same load, each limited to `share` of a
 * processor.
 */
export interface Scaled {
  processes: number;
  /** The samples that arrived, and the samples that were applied, per second. */
  sentPerSecond: number;
  samplesPerSecond: number;
  cpuPerMillion: number;
  /** CPU-seconds of the generator for a million samples in the same time. */
  generatorPerMillion: number;
  /** The cost of the consumer and of the generator in each round, CPU-seconds for a million samples. */
  rounds: { cpuPerMillion: number; generatorPerMillion: number }[];
}

/**
 * Whether a second process removes the lag of one: under the same load the lag grows with one process and falls with two.
 */
export interface Catching {
  /** Lag in records when the second consumer was added, and for how long the first had been falling behind. */
  behind: number;
  afterSeconds: number;
  /** The time from adding the second consumer until the lag was gone, seconds; null if the lag never was. */
  caughtUpSeconds: number | null;
}

export interface ScalingResult {
  consumer: ConsumerName;
  share: number;
  scaled: Scaled[];
  catching: Catching;
}

export interface ScalingOutcome {
  result: ScalingResult;
  report: LedgerReport;
  alerts: AlertReport;
}
