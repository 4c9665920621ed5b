import { BodyTooLargeError } from './body-too-large-error.ts';
import { MalformedBodyError } from './malformed-body-error.ts';

/** A block grows at most from 3 bytes to 64, so that a larger length is refused before memory is allocated. */
const MAX_GROWTH = 22;

/** Shorter stretches are copied by words of four bytes, which costs less than a call. */
const MIN_CALL_BYTES = 64;
const WORD = 4;

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

/** Decodes the elements of one block; its methods return the next position in the input. */
class BlockDecoder {
  readonly #input: Buffer;
  readonly #inputWords: DataView;
  readonly #inputEnd: number;
  readonly #output: Buffer;
  readonly #outputWords: DataView;
  readonly #outputStart: number;
  readonly #outputEnd: number;
  #written: number;

  constructor(input: Buffer, inputEnd: number, output: Buffer, outputStart: number, outputEnd: number) {
    this.#input = input;
    this.#inputWords = wordsOf(input);
    this.#inputEnd = inputEnd;
    this.#output = output;
    this.#outputWords = wordsOf(output);
    this.#outputStart = outputStart;
    this.#outputEnd = outputEnd;
    this.#written = outputStart;
  }

  decode(start: number): void {
    const input = this.#input;
    const end = this.#inputEnd;
    let at = start;
    while (at < end) {
      const tag = input[at] as number;
      at += 1;
      if ((tag & 3) === 0) at = this.#literal(tag >>> 2, at);
      else if ((tag & 3) === 1) {
        if (at + 1 > end) throw malformed('a copy is incomplete');
        this.#copy(((tag >>> 5) << 8) | (input[at] as number), ((tag >>> 2) & 7) + 4);
        at += 1;
      } else if ((tag & 3) === 2) {
        if (at + 2 > end) throw malformed('a copy is incomplete');
        this.#copy((input[at] as number) | ((input[at + 1] as number) << 8), (tag >>> 2) + 1);
        at += 2;
      } else {
        if (at + 4 > end) throw malformed('a copy is incomplete');
        this.#copy(input.readUInt32LE(at), (tag >>> 2) + 1);
        at += 4;
      }
    }
    if (this.#written !== this.#outputEnd) throw malformed('it holds fewer bytes than it states');
  }

  #literal(coded: number, start: number): number {
    const input = this.#input;
    let at = start;
    let length = coded + 1;
    if (coded >= 60) {
      const width = coded - 59;
      if (at + width > this.#inputEnd) throw malformed('the length of a literal is incomplete');
      length = input.readUIntLE(at, width) + 1;
      at += width;
    }
    if (length > this.#inputEnd - at) throw malformed('a literal is incomplete');
    const written = this.#written;
    if (length > this.#outputEnd - written) throw malformed('it holds more bytes than it states');
    const output = this.#output;
    const hasRoom = at + length + WORD <= this.#inputEnd && written + length + WORD <= this.#outputEnd;
    if (length < MIN_CALL_BYTES && hasRoom)
      copyWords(this.#inputWords, at, this.#outputWords, written, length);
    else input.copy(output, written, at, at + length);
    this.#written = written + length;
    return at + length;
  }

  #copy(offset: number, length: number): void {
    const written = this.#written;
    if (offset === 0 || offset > written - this.#outputStart)
      throw malformed('a copy begins before the content');
    if (length > this.#outputEnd - written) throw malformed('it holds more bytes than it states');
    const output = this.#output;
    const words = this.#outputWords;
    const from = written - offset;
    // A copy may repeat bytes that it has just written, in words only if they are of an earlier one.
    if (offset >= WORD && written + length + WORD <= this.#outputEnd)
      copyWords(words, from, words, written, length);
    else
      for (let index = 0; index < length; index += 1)
        output[written + index] = output[from + index] as number;
    this.#written = written + length;
  }
}

function wordsOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Copies `length` bytes, and up to three more, which come to be written over. */
function copyWords(source: DataView, from: number, target: DataView, to: number, length: number): void {
  for (let index = 0; index < length; index += WORD)
    target.setInt32(to + index, source.getInt32(from + index, true), true);
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
  new BlockDecoder(bytes, end, output, outputStart, outputStart + length).decode(at);
}

/** Decodes a body that is one block of snappy, of at most `maxLength` bytes once it is decoded. */
export function decodeSnappyBlock(bytes: Buffer, maxLength: number): Buffer {
  const length = decodedLength(bytes, 0, bytes.length, maxLength);
  const output = Buffer.allocUnsafe(length);
  decodeBlockInto(bytes, 0, bytes.length, output, 0, length);
  return output;
}
