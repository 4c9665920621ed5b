import { structureOf } from '../../decoding/json/nesting.ts';
import { BodyTooLargeError } from './body-too-large-error.ts';
import { MalformedBodyError } from './malformed-body-error.ts';

/** No agent nests deeper, except in values of OTLP. */
const MAX_DEPTH = 64;

/**
 * The max number of values in a body. A parsed value takes up to 160 bytes, however short its text is, so that this bounds the memory
 * of a parsed body beside its texts to 40 MB. Some 8,000 points of OTLP with six attributes are as many.
 */
export const MAX_VALUES = 250_000;

/** The max bytes of a body: its text and the texts in it take up to two bytes for each, beside the body itself. */
const MAX_BYTES = 8 * 1_048_576;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body. Throws `MalformedBodyError` if it is none in UTF-8, or if it nests deeper than `maxDepth` lists and objects;
 * `BodyTooLargeError` if it has more than 8 MiB or 250,000 values.
 */
export function parseJsonBody(bytes: Buffer, maxDepth = MAX_DEPTH): unknown {
  if (bytes.length > MAX_BYTES)
    throw new BodyTooLargeError(
      `A body of JSON may have ${MAX_BYTES} bytes. Send fewer points in each request, or send protobuf.`,
    );
  const { isTooDeep, values } = structureOf(bytes, 'json', maxDepth);
  if (isTooDeep) throw new MalformedBodyError(`The body nests deeper than ${maxDepth} lists and objects.`);
  if (values > MAX_VALUES)
    throw new BodyTooLargeError(
      `A body of JSON may have ${MAX_VALUES} values. Send fewer points in each request, or send protobuf.`,
    );
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new MalformedBodyError('The body is not valid JSON in UTF-8.');
  }
}
