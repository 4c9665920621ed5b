/**
 * The maximum that a value contributes to a sum, so that sums stay finite: the sum of two of the largest doubles overflows,
 * and PostgreSQL fails the whole statement.
 */
export const MAX_SUMMAND = 1e290;

/** `value`, limited to what a sum can take. */
export function summand(value: number): number {
  return Math.max(-MAX_SUMMAND, Math.min(value, MAX_SUMMAND));
}
