import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';

const FIRST_BYTES = 1_048_576;
/**
 * The size and number of buffers that are reused; allocating new ones would cause a full garbage collection every few
 * responses.
 */
const KEPT_BYTES = 4_194_304;
const KEPT = 4;
const spare: Buffer[] = [];
/** The max size of a piece that is written without checking the capacity. */
const MAX_PIECE = 64;
const ZERO = 48;

/** Collects the bytes of a JSON text, for responses with too many numbers to create strings and objects for them. */
export class JsonBytes {
  #chunk = spare.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = 0;
  #day = Number.NaN;
  /** `"2026-11-21T` */
  #date = Buffer.alloc(0);
  readonly #one = new Float64Array(1);

  /** Writes bytes as they are. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    if (bytes.length > MAX_PIECE) {
      this.#chunk.set(bytes, this.#at);
      this.#at += bytes.length;
    } else
      for (let index = 0; index < bytes.length; index++) this.#chunk[this.#at++] = bytes[index] as number;
  }

  /** Writes a number as `JSON.stringify` does. */
  number(value: number): void {
    this.#one[0] = value;
    this.numberOf(this.#one, 0);
  }

  /** Writes a number of a column as `JSON.stringify` does; unlike an argument, it needs no object of its own. */
  numberOf(column: Float64Array, index: number): void {
    this.#reserve(MAX_PIECE);
    const value = column[index] as number;
    // Two decimals that parse to the same number are its shortest form.
    const hundredths = value >= 0 ? Math.round(value * 100) : Number.NaN;
    if (value >= 0 && value < 2 ** 31 && Math.trunc(value) === value) this.#digits(value, 1);
    else if (hundredths < 2 ** 31 && hundredths / 100 === value) this.#decimals(hundredths);
    else {
      // Not by `String`, which keeps the last texts until they are old, so that every hundredth answer waited for a full collection.
      const text = JSON.stringify(value);
      for (let index = 0; index < text.length; index++) this.#chunk[this.#at++] = text.charCodeAt(index);
    }
  }

  /** Writes a time from 1970 to 9999, given in ms, as an ISO 8601 string. */
  time(ms: number): void {
    this.#reserve(MAX_PIECE);
    const day = Math.floor(ms / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = Buffer.from(`"${new Date(day * DAY_MS).toISOString().slice(0, 11)}`, 'latin1');
    }
    for (let index = 0; index < this.#date.length; index++)
      this.#chunk[this.#at++] = this.#date[index] as number;
    const rest = ms - day * DAY_MS;
    this.#digits(Math.trunc(rest / HOUR_MS), 2);
    this.#chunk[this.#at++] = 58;
    this.#digits(Math.trunc(rest / MINUTE_MS) % 60, 2);
    this.#chunk[this.#at++] = 58;
    this.#digits(Math.trunc(rest / 1_000) % 60, 2);
    this.#chunk[this.#at++] = 46;
    this.#digits(rest % 1_000, 3);
    this.#chunk[this.#at++] = 90;
    this.#chunk[this.#at++] = 34;
  }

  /** The number of bytes that were written to the buffer. */
  get length(): number {
    return this.#at;
  }

  /** Repeats the `length` bytes that were written from byte `start` on. */
  repeat(start: number, length: number): void {
    this.#reserve(length);
    for (let index = start; index < start + length; index++)
      this.#chunk[this.#at++] = this.#chunk[index] as number;
  }

  /** Returns everything written, in memory that stays valid until `release`. */
  finish(): Buffer {
    return this.#chunk.subarray(0, this.#at);
  }

  /** Makes the memory available to later collectors; must be called once the result of `finish` is no longer read. */
  release(): void {
    if (this.#chunk.length <= KEPT_BYTES && spare.length < KEPT) spare.push(this.#chunk);
    this.#chunk = Buffer.alloc(0);
    this.#at = 0;
  }

  #decimals(hundredths: number): void {
    this.#digits(Math.trunc(hundredths / 100), 1);
    this.#chunk[this.#at++] = 46;
    const rest = hundredths % 100;
    if (rest % 10 === 0) this.#digits(rest / 10, 1);
    else this.#digits(rest, 2);
  }

  #digits(value: number, least: number): void {
    let length = least;
    for (let power = 10 ** least; power <= value; power *= 10) length += 1;
    let rest = value;
    for (let index = this.#at + length - 1; index >= this.#at; index--) {
      this.#chunk[index] = ZERO + (rest % 10);
      rest = (rest / 10) | 0;
    }
    this.#at += length;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * (this.#at + bytes)));
    this.#chunk.copy(wider, 0, 0, this.#at);
    this.#chunk = wider;
  }
}
