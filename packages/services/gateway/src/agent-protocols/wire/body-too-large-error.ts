import { MalformedBodyError } from './malformed-body-error.ts';

/** A body that is larger than allowed once it is decompressed or parsed. */
export class BodyTooLargeError extends MalformedBodyError {
  override name = 'BodyTooLargeError';

  /** Of a body of more than `maxLength` bytes after decompression; `length` is what it states, in bytes, where it states one. */
  static ofLength(maxLength: number, length?: number): BodyTooLargeError {
    const stated = length === undefined ? '' : ` and this one states ${length}`;
    return new BodyTooLargeError(`The body is limited to ${maxLength} bytes after decompression${stated}.`);
  }
}
