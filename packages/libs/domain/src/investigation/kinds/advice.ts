import type { Recommendation } from '../verdict/verdict.ts';

/** The risk text of a recommendation that only reads; without a cause, only these recommendations are given. */
export const READS_ONLY = 'None: it only reads.';

/** A recommendation without its priority and its evidence, which are added later. */
export type Advice = Omit<Recommendation, 'priority' | 'evidenceRefs'>;
