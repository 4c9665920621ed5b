/** What was asked for cannot be meant so. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
