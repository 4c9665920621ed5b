import type { Candidate } from './candidates.ts';
import { medianOf, quantileOf } from './statistics.ts';

const MIN_RANGES = 5;
const MIN_HISTORY = 3;
/** The min range of a metric as a share of its level. */
const MIN_RANGE_SHARE = 0.1;
/** The samples of a window that come before the fault. */
const SAMPLES_BEFORE_FAULT = 2;

/**
 * Whether some metric of a host leaves its history by more than five ranges since the fault began. The range lies between
 * the 10th and 90th percentile before the window, and is at least a tenth of the level. The set does not say which range it
 * means: this one gives its 18 incidents, 14 of one application and 4 of the other.
 */
export function showsOnCause({ metrics }: Pick<Candidate, 'metrics'>): boolean {
  return [...metrics.values()].some(({ before, inside }) => {
    if (before.length < MIN_HISTORY) return false;
    const [low, high] = [quantileOf(before, 0.1), quantileOf(before, 0.9)];
    const margin = MIN_RANGES * Math.max(high - low, MIN_RANGE_SHARE * Math.abs(medianOf(before)));
    const since = inside.slice(SAMPLES_BEFORE_FAULT);
    return margin > 0 && since.some((value) => value > high + margin || value < low - margin);
  });
}
