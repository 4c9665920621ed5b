/**
 * The maximum that a value contributes to a sum. Values up to the largest double are taken, but two of those have no
 * finite sum, and PostgreSQL fails the whole statement; a quintillion of these still have one.
 */
export const MAX_SUMMAND = 1e290;

/** `value`, limited for a sum. */
export function summand(value: number): number {
  return Math.max(-MAX_SUMMAND, Math.min(value, MAX_SUMMAND));
}
