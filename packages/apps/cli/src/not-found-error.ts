/** What was named does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}
