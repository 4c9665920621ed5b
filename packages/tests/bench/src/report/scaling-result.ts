import type { ConsumerName } from '../consumers.ts';
import type { LedgerReport } from '../ledger/check.ts';
import type { AlertReport } from '../ledger/compare-alerts.ts';

/** So many processes at work under one load, each held to the share. */
export interface Scaled {
  processes: number;
  /** What comes each second, and what they do of it, or of what came before. */
  sentPerSecond: number;
  samplesPerSecond: number;
  cpuPerMillion: number;
  /** What the generator took for a million samples that it sent meanwhile. */
  generatorPerMillion: number;
  /** Both of each round. */
  rounds: { cpuPerMillion: number; generatorPerMillion: number }[];
}

/** One falls behind, two catch up, while the load goes on. */
export interface Catching {
  /** Records behind when the second was added, and how long one had been falling behind by then. */
  behind: number;
  afterSeconds: number;
  /** From adding the second until nothing was left but what had just come; null where it never was. */
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
