export type MigrationErrorCode =
  | 'edited'
  | 'missing'
  | 'earlier_schema'
  | 'newer_schema'
  | 'misnumbered'
  | 'storage_backend'
  | 'failed';

/** The schema cannot be brought to this version; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
  readonly code: MigrationErrorCode;
  constructor(code: MigrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
