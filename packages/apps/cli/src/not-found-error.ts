/** The named object does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}
