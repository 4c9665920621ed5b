import type { Facts } from './facts.ts';
import type { FindingDraft } from './finding.ts';

/** A pure function that looks for one kind of cause. Each detector can be scored alone on incidents of known cause. */
export interface Detector {
  /** The technical name of the detector, such as `change-point`. */
  readonly name: string;
  detect(facts: Facts): readonly FindingDraft[];
}
