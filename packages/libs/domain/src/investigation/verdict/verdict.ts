import type { InconclusiveReason } from '@tidewatch/contracts/investigations/analysis';
import type { FindingDraft } from '../finding.ts';

export type Conclusion = 'root_cause_found' | 'inconclusive';
export type Confidence = 'high' | 'medium' | 'low';

export interface TimelineEntry {
  /** ms */
  readonly at: number;
  readonly type:
    | 'metric_shift'
    | 'pending'
    | 'fired'
    | 'resolved'
    | 'process_started'
    | 'container_restarted'
    | 'host_restarted'
    | 'host_silent'
    | 'change'
    | 'recurrence'
    | 'investigation_step';
  readonly title: string;
  readonly actor: 'system' | 'detector' | 'user' | 'llm';
  /** References to the evidence of the entry; ids once the evidence has ids. */
  readonly evidenceRefs: readonly string[];
}

export interface Recommendation {
  readonly priority: 'high' | 'medium' | 'low';
  readonly title: string;
  /** The effect of the recommended action, and how to verify that it worked. */
  readonly description: string;
  /** The shell command of the recommendation; null if there is none. */
  readonly command: string | null;
  /** The risk of the action in words; states whether the command destroys or interrupts something. */
  readonly risk: string;
  readonly evidenceRefs: readonly string[];
}

/** A finding with its place among all findings of an investigation. */
export interface RankedFinding extends FindingDraft {
  /**
   * Whether the finding may be the cause, so that its score is the probability of that. The symptom, other effects and
   * circumstances have a score for their place in the order alone.
   */
  readonly possibleCause: boolean;
}

/** The complete result of the detectors and the ranking. */
export interface Verdict {
  /** Best first; scores compare across hosts. */
  readonly findings: readonly RankedFinding[];
  readonly conclusion: Conclusion;
  readonly confidence: Confidence;
  /** Why no cause is named; null if one is. */
  readonly inconclusiveReason: InconclusiveReason | null;
  /** The index of the root cause in `findings`; null if the investigation is inconclusive. */
  readonly rootCause: number | null;
  readonly summary: string;
  readonly rootCauseText: string | null;
  readonly detailsMarkdown: string;
  /** When there will be enough data for a baseline, ms; null if there is enough, or if waiting does not help. */
  readonly enoughAt: number | null;
  /** Ascending by time. */
  readonly timeline: readonly TimelineEntry[];
  readonly recommendations: readonly Recommendation[];
}
