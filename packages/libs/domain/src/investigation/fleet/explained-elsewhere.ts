import type { FindingDraft } from '../finding.ts';
import { sharedTag } from './shared-tag.ts';
import { suspectHosts } from './suspect-hosts.ts';

/**
 * How well the symptom is explained by something beyond the host that shows it, 0 to 1. A finding that only tells that the
 * host moved explains that much less.
 */
export function explainedElsewhere(drafts: readonly FindingDraft[]): number {
  return drafts
    .filter(({ detector }) => detector === suspectHosts.name || detector === sharedTag.name)
    .reduce((most, { score }) => Math.max(most, score), 0);
}
