import { MalformedBodyError } from './malformed-body-error.ts';

const TWO_TO_32 = 0x1_0000_0000;
const NANOS_PER_MS = 1e6;
/** Varints of up to so many bytes are below 2^49, which a double holds exactly. */
const MAX_EXACT_BYTES = 7;
/** 2^32 nanoseconds as whole milliseconds and the nanoseconds that remain. */
const HIGH_MS = 4_294;
const HIGH_NANOS = 967_296;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bits of the fields that a message knows, for `skip`; fields are below 32. */
export function knownFields(...fields: readonly number[]): number {
  return fields.reduce((mask, field) => mask | (1 << field), 0);
}

/**
 * Reads a protobuf message from a buffer, field by field: `tag` while `at` is before `end`, then what the tag says, or `skip`.
 * `enter` limits reading to an embedded message until `leave`. Every length is compared with the end of the message that
 * encloses it. All methods throw `MalformedBodyError`.
 */
export class ProtobufReader {
  readonly bytes: Buffer;
  /** The same bytes, to read words of them. */
  readonly view: DataView;
  at = 0;
  end: number;
  #low = 0;
  #high = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Moves to the bytes from `at` up to `end`, which were found to be a message. */
  move(at: number, end: number): void {
    this.at = at;
    this.end = end;
  }

  /** The number of a field times eight, plus its wire type. */
  tag(): number {
    const { at } = this;
    if (at < this.end) {
      const byte = this.bytes[at] as number;
      if (byte < 0x80 && byte >= 8) {
        this.at = at + 1;
        return byte;
      }
    }
    const tag = this.varint();
    if (tag < 8 || tag >= TWO_TO_32) throw this.malformed('a field has no valid number', at);
    return tag;
  }

  /** An unsigned varint of up to 64 bits, rounded above 2^53. */
  varint(): number {
    if (this.at < this.end) {
      const byte = this.bytes[this.at] as number;
      if (byte < 0x80) {
        this.at += 1;
        return byte;
      }
    }
    this.#readHalves();
    return this.#high * TWO_TO_32 + this.#low;
  }

  /** The low 32 bits of a varint, for enumerations and numbers of 32 bits. */
  uint32(): number {
    const { at } = this;
    if (at < this.end && (this.bytes[at] as number) < 0x80) return this.varint();
    this.#readHalves();
    return this.#low;
  }

  bool(): boolean {
    return this.varint() !== 0;
  }

  /** A signed varint of 64 bits, rounded beyond ±2^53. */
  int64(): number {
    const { bytes, at, end } = this;
    // Times in milliseconds have six bytes.
    if (end - at >= MAX_EXACT_BYTES) {
      let value = 0;
      let factor = 1;
      for (let index = 0; index < MAX_EXACT_BYTES; index += 1) {
        const byte = bytes[at + index] as number;
        if (byte < 0x80) {
          this.at = at + index + 1;
          return value + byte * factor;
        }
        value += (byte & 0x7f) * factor;
        factor *= 0x80;
      }
    }
    this.#readHalves();
    return (this.#high | 0) * TWO_TO_32 + this.#low;
  }

  /** A signed varint of 64 bits, exactly. */
  exactInt64(): bigint {
    this.#readHalves();
    return BigInt.asIntN(64, (BigInt(this.#high) << 32n) | BigInt(this.#low));
  }

  sint32(): number {
    this.#readHalves();
    return (this.#low >>> 1) ^ -(this.#low & 1);
  }

  sint64(): number {
    this.#readHalves();
    const sign = -(this.#low & 1);
    const low = (((this.#low >>> 1) | (this.#high << 31)) ^ sign) >>> 0;
    return ((this.#high >>> 1) ^ sign) * TWO_TO_32 + low;
  }

  double(): number {
    return this.view.getFloat64(this.#fixed64(), true);
  }

  /** An unsigned number of 64 bits in eight bytes, rounded above 2^53. */
  fixed64(): number {
    const at = this.#fixed64();
    return this.view.getUint32(at + 4, true) * TWO_TO_32 + this.view.getUint32(at, true);
  }

  /** A signed number of 64 bits in eight bytes, rounded beyond ±2^53. */
  sfixed64(): number {
    const at = this.#fixed64();
    return this.view.getInt32(at + 4, true) * TWO_TO_32 + this.view.getUint32(at, true);
  }

  /** A time in eight bytes of nanoseconds since the epoch, as whole milliseconds. */
  nanoseconds(): number {
    const at = this.#fixed64();
    const high = this.view.getUint32(at + 4, true);
    return high * HIGH_MS + Math.floor((high * HIGH_NANOS + this.view.getUint32(at, true)) / NANOS_PER_MS);
  }

  /** Reads a length and limits reading to as many bytes; returns the end of the enclosing message, for `leave`. */
  enter(): number {
    const outer = this.end;
    const { at } = this;
    const length = this.varint();
    if (length > outer - this.at) throw this.malformed('a length goes beyond the end of its message', at);
    this.end = this.at + length;
    return outer;
  }

  /** Moves behind the embedded message, in the enclosing one that ends at `outer`. */
  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  /** Moves behind a field of variable length. */
  pass(): void {
    this.leave(this.enter());
  }

  /** Moves behind a field that the message does not have; one that it has, in `known`, is of the wrong type then. */
  skip(tag: number, known = 0): void {
    const field = tag >>> 3;
    if (field < 32 && (known >>> field) & 1)
      throw this.malformed(`field ${field} has the wire type ${tag & 7}, which it never has`, this.at);
    const type = tag & 7;
    if (type === 0) this.#readHalves();
    else if (type === 1) this.#fixed64();
    else if (type === 2) this.pass();
    else if (type === 5) {
      if (this.end - this.at < 4) throw this.malformed('a number is incomplete', this.at);
      this.at += 4;
    } else throw this.malformed(`wire type ${type} is not allowed`, this.at);
  }

  /** The text from `start` up to `end`. */
  text(start: number, end: number): string {
    const { bytes } = this;
    for (let at = start; at < end; at += 1) {
      if ((bytes[at] as number) < 0x80) continue;
      try {
        return decoder.decode(bytes.subarray(start, end));
      } catch {
        throw this.malformed('a text is not valid UTF-8', start);
      }
    }
    return bytes.toString('latin1', start, end);
  }

  /** The error that says what is wrong at a position. */
  malformed(what: string, at: number): MalformedBodyError {
    return new MalformedBodyError(`The body is not a valid message of protobuf: ${what} (byte ${at}).`);
  }

  /** The position of the next eight bytes, and moves behind them. */
  #fixed64(): number {
    const { at } = this;
    if (this.end - at < 8) throw this.malformed('a number is incomplete', at);
    this.at = at + 8;
    return at;
  }

  #readHalves(): void {
    const { bytes, end } = this;
    let { at } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= end) throw this.malformed('a number is incomplete', this.at);
      const byte = bytes[at] as number;
      const bits = byte & 0x7f;
      at += 1;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.at = at;
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    throw this.malformed('a number has more than 10 bytes', this.at);
  }
}
