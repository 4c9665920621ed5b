import { UsageError } from './usage-error.ts';

/** What stands in an example for something that only the reader has was left in place. */
export class PlaceholderError extends UsageError {
  /** `what`: the text, or where it stands if it is not to be shown. */
  constructor(what: string) {
    super(`${what} is from an example: replace the placeholder with what you have`);
  }
}
