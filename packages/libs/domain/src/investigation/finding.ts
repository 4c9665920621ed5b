import type { FindingKind } from '@tidewatch/contracts/investigations/finding';
import type { HostName, Subject } from './facts.ts';

/** Statistics of the values in one time window; `from` and `to` are in ms. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** A host that may be the cause. `startedAt` in ms. */
export interface Suspect extends HostName {
  readonly score: number;
  readonly metric: string | null;
  readonly startedAt: number | null;
}

/** The frozen data from which a number of a finding was computed. */
export interface EvidenceDraft {
  /** Reference of the source, so that several findings can share one piece of evidence. */
  readonly ref: string;
  readonly query: string;
  readonly from: number;
  readonly to: number;
  /** Statistics of the evidence: numbers and short texts by name. */
  readonly stats: Readonly<Record<string, number | string | null>>;
  /** At most 240 points: `value` for a series, or the columns of a table such as a process list or a list of alerts. */
  readonly points: readonly Readonly<Record<string, number | string | null>>[];
}

/** A finding before it has an id. Detectors set a raw `score`; the ranking makes scores comparable. */
export interface FindingDraft extends HostName {
  readonly kind: FindingKind;
  /** The detector that found it. */
  readonly detector: string;
  readonly title: string;
  readonly description: string;
  /** 0 to 1: the probability that this finding is the cause or points to it. */
  readonly score: number;
  readonly subject: Subject;
  readonly metric: string | null;
  readonly baseline: Summary | null;
  readonly observed: Summary | null;
  /** ms */
  readonly startedAt: number | null;
  readonly hosts: readonly Suspect[];
  readonly unaffectedHosts: readonly HostName[];
  /** The evidence for the finding; at least one item. */
  readonly evidence: readonly EvidenceDraft[];
}
