import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict/verdict';
import type { FactsRequest } from '@tidewatch/store/investigations/facts/facts-request';

/** One analysis to run. */
export interface AnalysisJob {
  facts: Omit<FactsRequest, 'signal'>;
  /** The time limit for detectors, ms from the start: detectors that have not begun by then are skipped. */
  detectWithinMs: number;
}

/** Receives the progress of an analysis. */
export interface AnalysisListener {
  /** Called with all findings so far, at most twice a second; `detector` found the last of them. */
  found(detector: string, drafts: readonly FindingDraft[]): void;
  /** Called for a detector that failed; the others continue. */
  detectorFailed(detector: string, error: unknown): void;
  stage(stage: 'gather' | 'detect', seconds: number): void;
}

/** Runs the statistical analysis of stored data. */
export interface Analyst {
  /** Runs one analysis; null if the service does not exist. Throws the reason of the signal after an abort. */
  analyse(job: AnalysisJob, listener: AnalysisListener, signal: AbortSignal): Promise<Verdict | null>;
  close(): Promise<void>;
}
