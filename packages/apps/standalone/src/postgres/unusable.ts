/** The embedded server cannot be used; the message says why and what to do. */
export class PostgresUnusableError extends Error {
  override name = 'PostgresUnusableError';
}
