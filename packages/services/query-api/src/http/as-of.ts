import { type Fault, validationProblem } from '@tidewatch/contracts/problems/problem';
import { AS_OF_REACHES_MS } from '@tidewatch/contracts/queries/query';

/** Throws 422 unless the `as_of` (ms) of a list is within the allowed range at `now`. */
export function requireWithinReach(asOf: number, now: number): void {
  if (asOf <= now && asOf >= now - AS_OF_REACHES_MS) return;
  const message = 'Must lie within the last 7 days.';
  const fault: Fault = { in: 'query', path: '/as_of', code: 'out_of_range', message };
  throw validationProblem([fault]);
}
