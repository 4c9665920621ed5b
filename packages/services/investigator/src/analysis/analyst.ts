import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict';
import type { FactsRequest } from '@tidewatch/store/investigations/facts/facts-request';

/** What is to be analysed. */
export interface AnalysisJob {
  facts: Omit<FactsRequest, 'signal'>;
  /** Detectors that have not begun by then are left out, so that what others found is concluded from; ms from the start. */
  detectWithinMs: number;
}

/** Told while an analysis goes on. */
export interface AnalysisListener {
  /** All that was found so far, now and then; `detector` found the last of it. */
  found(detector: string, drafts: readonly FindingDraft[]): void;
  /** A detector ended with an error, and the others go on. */
  detectorFailed(detector: string, error: unknown): void;
  stage(stage: 'gather' | 'detect', seconds: number): void;
}

/** Says what the statistics find in what is stored. */
export interface Analyst {
  /** Null where the service is gone. Throws the signal's reason once it is aborted. */
  analyse(job: AnalysisJob, listener: AnalysisListener, signal: AbortSignal): Promise<Verdict | null>;
  close(): Promise<void>;
}
