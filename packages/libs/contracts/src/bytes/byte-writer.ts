/** The powers of ten of the scales of `number`. */
export const DECIMALS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
/** The scale value that marks a number stored as a double. */
export const RAW_SCALE = 7;
const MAX_SCALED = 2 ** 45;
const MAX_HUNDREDTHS = 2 ** 27;

/** A buffer that grows. Numbers are little-endian; a varint is LEB128 of a safe integer that is not negative. */
export class ByteWriter {
  #bytes: Buffer;
  #view: DataView;
  #length = 0;

  constructor(capacity = 16_384) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#view = viewOf(this.#bytes);
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes; they share memory with the writer until the next `reset`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  reset(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  varint(value: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    if (value >= 0x1000_0000) {
      // The rest by a division is slow for doubles, so four bytes are split off at once.
      rest = Math.floor(value / 0x1000_0000);
      let low = value - rest * 0x1000_0000;
      for (let count = 0; count < 4; count += 1) {
        bytes[at++] = (low & 0x7f) | 0x80;
        low >>>= 7;
      }
    }
    while (rest >= 0x80) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#bytes[this.#length++] = value & 0xff;
    this.#bytes[this.#length++] = value >>> 8;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /** A safe integer of either sign, up to 2^52. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /**
   * Writes any number exactly: with up to six decimals as a scale and the varint of the scaled integer, otherwise as a
   * double. 57.31 takes three bytes.
   */
  number(value: number): void {
    const hundredths = Math.round(value * 100);
    if (hundredths >= MAX_HUNDREDTHS || hundredths <= -MAX_HUNDREDTHS || hundredths === 0) {
      this.#scaled(value, 0);
    } else if (hundredths / 100 !== value) {
      // What has fewer than three decimals has hundredths that give it back.
      this.#scaled(value, 3);
    } else {
      const whole = value | 0;
      const integer = hundredths | 0;
      if (whole === value) this.#short(whole, 0);
      else if (integer % 10 === 0) this.#short((integer / 10) | 0, 1);
      else this.#short(integer, 2);
    }
  }

  /** An integer of up to 27 bits. */
  #short(integer: number, scale: number): void {
    this.#reserve(5);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = (((integer << 1) ^ (integer >> 31)) << 3) | scale;
    while (rest >= 0x80) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  /** Tries the scales from one on. */
  #scaled(value: number, from: number): void {
    for (let scale = from; scale < DECIMALS.length; scale += 1) {
      const factor = DECIMALS[scale] as number;
      const scaled = Math.round(value * factor);
      if (scaled >= MAX_SCALED || scaled <= -MAX_SCALED) break;
      if (scaled / factor === value && (scaled !== 0 || 1 / value > 0)) {
        this.varint((scaled < 0 ? -scaled * 2 - 1 : scaled * 2) * 8 + scale);
        return;
      }
    }
    this.varint(RAW_SCALE);
    this.double(value);
  }

  /** Writes a text: its length in bytes, then UTF-8. */
  text(value: string): void {
    const longest = value.length * 3;
    this.#reserve(longest + 8);
    // Encodes short texts in a loop, which is cheaper than a call of the encoder: nearly all are ASCII.
    if (value.length < 64) {
      const start = this.#length + 1;
      let index = 0;
      for (; index < value.length; index += 1) {
        const code = value.charCodeAt(index);
        if (code >= 0x80) break;
        this.#bytes[start + index] = code;
      }
      if (index === value.length) {
        this.#bytes[this.#length] = index;
        this.#length = start + index;
        return;
      }
    }
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#bytes.write(value, this.#length, size, 'utf8');
    this.#length += size;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Where the bytes are written, for those who write what `pass` has passed over. Valid until more is written. */
  get memory(): Buffer {
    return this.#bytes;
  }

  /** Leaves room for bytes of any content, and returns the index of the first one. */
  pass(size: number): number {
    this.#reserve(size);
    const start = this.#length;
    this.#length += size;
    return start;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
