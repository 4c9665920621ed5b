import type { Facts } from './facts.ts';
import type { FindingDraft } from './finding.ts';

/** One way to find something: pure, so that it can be scored by itself on incidents with known causes. */
export interface Detector {
  /** In words of the field, such as `change-point`. */
  readonly name: string;
  detect(facts: Facts): readonly FindingDraft[];
}
