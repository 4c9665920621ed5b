/** The embedded server cannot be used as things are; the message is for people and says what to do. */
export class PostgresUnusableError extends Error {
  override name = 'PostgresUnusableError';
}
