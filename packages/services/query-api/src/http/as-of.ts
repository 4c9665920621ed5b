import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { AS_OF_REACHES_MS } from '@tidewatch/contracts/queries/query';

/** Throws 422 unless the `as_of` (ms) of a list is within the allowed range at `now`. */
export function requireWithinReach(asOf: number, now: number): void {
  if (asOf <= now && asOf >= now - AS_OF_REACHES_MS) return;
  throw faultProblem('query', '/as_of', 'out_of_range', 'Must lie within the last 7 days.');
}
