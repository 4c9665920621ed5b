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
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes were read. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new MalformedBytesError('the bytes end too early');
    this.#at += 1;
    return value;
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
    if (this.#at + 4 > this.#bytes.length) throw new MalformedBytesError('the bytes end too early');
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  /** Reads a number of items, each at least one byte long; rejects a number larger than the unread bytes. */
  count(): number {
    const value = this.varint();
    if (value > this.#bytes.length - this.#at)
      throw new MalformedBytesError('a length or count exceeds the bytes that are left');
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  double(): number {
    if (this.#at + 8 > this.#bytes.length) throw new MalformedBytesError('the bytes end too early');
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
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
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new MalformedBytesError('the bytes end too early');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) >= 0x80) return false;
  return true;
}
