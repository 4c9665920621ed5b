/** The object that an argument names does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}
