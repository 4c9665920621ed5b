import { UsageError } from './usage-error.ts';

/** A placeholder of an example was not replaced by a value. */
export class PlaceholderError extends UsageError {
  /** `what` is the placeholder, or for a secret the name of its setting. */
  constructor(what: string) {
    super(`${what} is the placeholder of an example: replace it by your own value`);
  }
}
