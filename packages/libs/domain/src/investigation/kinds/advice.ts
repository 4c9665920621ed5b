import type { Recommendation } from '../verdict/verdict.ts';

/** The risk of a recommendation that changes nothing; without a cause only such are given. */
export const READS_ONLY = 'None: it only reads.';

/** A recommendation without what all findings share: its priority and its evidence. */
export type Advice = Omit<Recommendation, 'priority' | 'evidenceRefs'>;
