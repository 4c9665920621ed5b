import { BodyTooLargeError } from './body-too-large-error.ts';
import { MalformedBodyError } from './malformed-body-error.ts';

/** A block grows at most from 3 bytes to 64, so that a larger length is refused before memory is allocated. */
const MAX_GROWTH = 22;

/** Shorter stretches are copied by words of eight bytes, which costs less than a call; a copy has at most 64. */
const MIN_CALL_BYTES = 65;
const WORD = 8;

/** The length that a block states for its content, and where the elements of the block begin. */
interface Preamble {
  length: number;
  at: number;
}

const malformed = (what: string) => new MalformedBodyError(`The body is not a valid snappy block: ${what}.`);

function preambleOf(bytes: Buffer, start: number, end: number): Preamble {
  let length = 0;
  for (let index = 0; index < 5; index += 1) {
    if (start + index >= end) throw malformed('its length is incomplete');
    const byte = bytes[start + index] as number;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      if (length > 0xffff_ffff) break;
      return { length, at: start + index + 1 };
    }
  }
  throw malformed('its length has more than 32 bits');
}

/**
 * The length that the block from `start` up to `end` has once it is decoded. Throws `MalformedBodyError` for a length that no
 * block of this size can have, and `BodyTooLargeError` for more than `maxLength` bytes.
 */
export function decodedLength(bytes: Buffer, start: number, end: number, maxLength: number): number {
  const { length } = preambleOf(bytes, start, end);
  if (length > MAX_GROWTH * (end - start))
    throw malformed(`it states ${length} bytes, more than ${end - start} can hold`);
  if (length > maxLength) throw BodyTooLargeError.ofLength(maxLength, length);
  return length;
}

/** Copying by words writes up to seven bytes beyond an element, which the next one writes again: so many bytes must be left. */
const ROOM = MIN_CALL_BYTES + WORD;

/** Decodes the elements from `start` up to `inputEnd` into exactly the bytes from `outputStart` up to `outputEnd`. */
function decodeElements(
  input: Buffer,
  start: number,
  inputEnd: number,
  output: Buffer,
  outputStart: number,
  outputEnd: number,
): void {
  const inputWords = wordsOf(input);
  const outputWords = wordsOf(output);
  let at = start;
  let written = outputStart;
  while (at < inputEnd) {
    const tag = input[at] as number;
    at += 1;
    const kind = tag & 3;
    if (kind === 0) {
      let length = (tag >>> 2) + 1;
      if (length > 60) {
        const width = length - 60;
        if (at + width > inputEnd) throw malformed('the length of a literal is incomplete');
        length = input.readUIntLE(at, width) + 1;
        at += width;
      }
      if (length > inputEnd - at) throw malformed('a literal is incomplete');
      if (length > outputEnd - written) throw malformed('it holds more bytes than it states');
      if (length < MIN_CALL_BYTES && at + ROOM <= inputEnd && written + ROOM <= outputEnd)
        for (let index = 0; index < length; index += WORD)
          outputWords.setBigInt64(written + index, inputWords.getBigInt64(at + index, true), true);
      else input.copy(output, written, at, at + length);
      at += length;
      written += length;
      continue;
    }
    const offsetBytes = kind === 3 ? 4 : kind;
    if (at + offsetBytes > inputEnd) throw malformed('a copy is incomplete');
    let length = (tag >>> 2) + 1;
    let offset = input[at] as number;
    if (kind === 1) {
      length = ((tag >>> 2) & 7) + 4;
      offset |= (tag >>> 5) << 8;
    } else if (kind === 2) offset |= (input[at + 1] as number) << 8;
    else offset = inputWords.getUint32(at, true);
    at += offsetBytes;
    if (offset === 0 || offset > written - outputStart) throw malformed('a copy begins before the content');
    if (length > outputEnd - written) throw malformed('it holds more bytes than it states');
    const from = written - offset;
    // A copy may repeat bytes that it has just written; by words only if it repeats none of the same word.
    if (offset >= WORD && written + ROOM <= outputEnd)
      for (let index = 0; index < length; index += WORD)
        outputWords.setBigInt64(written + index, outputWords.getBigInt64(from + index, true), true);
    else
      for (let index = 0; index < length; index += 1)
        output[written + index] = output[from + index] as number;
    written += length;
  }
  if (written !== outputEnd) throw malformed('it holds fewer bytes than it states');
}

function wordsOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * Decodes the block from `start` up to `end` into `output`, from `outputStart`; `length` is its `decodedLength`. Throws
 * `MalformedBodyError` unless the block holds exactly as many bytes.
 */
export function decodeBlockInto(
  bytes: Buffer,
  start: number,
  end: number,
  output: Buffer,
  outputStart: number,
  length: number,
): void {
  const { at } = preambleOf(bytes, start, end);
  decodeElements(bytes, at, end, output, outputStart, outputStart + length);
}

/**
 * Decodes a body that is one block of snappy, of at most `maxLength` bytes once it is decoded, into what `allocate` returns for
 * its length.
 */
export function decodeSnappyBlock(
  bytes: Buffer,
  maxLength: number,
  allocate: (length: number) => Buffer,
): Buffer {
  const length = decodedLength(bytes, 0, bytes.length, maxLength);
  const output = allocate(length);
  decodeBlockInto(bytes, 0, bytes.length, output, 0, length);
  return output;
}
