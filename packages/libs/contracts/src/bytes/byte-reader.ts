import { TextCache } from '../values/text-cache.ts';
import { DECIMALS, RAW_SCALE } from './byte-writer.ts';

/** Texts up to this length are cached if they are ASCII, since names of hosts and metrics recur. */
const MAX_KEPT = 64;
const texts = new TextCache();

/** The bytes end too early, or a number in them is out of range. */
export class MalformedBytesError extends Error {
  override name = 'MalformedBytesError';
}

/** Reads what ByteWriter has written; throws MalformedBytesError instead of reading past the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  /** The index behind the last byte. */
  readonly end: number;
  #at: number;

  /** Reads the bytes from `start` to before `end`. */
  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    if (end > bytes.length) throw new MalformedBytesError('the bytes end too early');
    this.#bytes = bytes;
    this.#at = start;
    this.end = end;
  }

  /** The index of the next byte. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.end;
  }

  byte(): number {
    if (this.#at === this.end) throw new MalformedBytesError('the bytes end too early');
    return this.#bytes[this.#at++] as number;
  }

  varint(): number {
    let value = 0;
    // Decodes up to 28 bits with bit operations, which are fast but limited to 32 bits.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    let factor = 2 ** 28;
    for (let count = 4; count < 8; count += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      factor *= 128;
    }
    throw new MalformedBytesError('a number is out of range');
  }

  uint16(): number {
    const value = this.byte();
    return value + this.byte() * 256;
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.pass(4));
  }

  /** Reads a number of items, each at least one byte long; rejects a number larger than the unread bytes. */
  count(): number {
    const value = this.varint();
    if (value > this.end - this.#at)
      throw new MalformedBytesError('a length or count exceeds the bytes that are left');
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.pass(8));
  }

  number(): number {
    const packed = this.varint();
    const scale = packed % 8;
    if (scale === RAW_SCALE) return this.double();
    const zigzag = (packed - scale) / 8;
    const scaled = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    return scaled / (DECIMALS[scale] as number);
  }

  text(): string {
    const size = this.count();
    const end = this.#at + size;
    const isKept = size <= MAX_KEPT && isAscii(this.#bytes, this.#at, end);
    const text = isKept
      ? texts.text(this.#bytes, this.#at, end)
      : this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  raw(size: number): Buffer {
    const start = this.pass(size);
    return this.#bytes.subarray(start, this.#at);
  }

  /** What is read, for those who read bytes that `pass` has passed over. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Passes over bytes, and returns the index of the first one. */
  pass(size: number): number {
    const start = this.#at;
    if (start + size > this.end) throw new MalformedBytesError('the bytes end too early');
    this.#at = start + size;
    return start;
  }
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) >= 0x80) return false;
  return true;
}
