/** The bytes of JSON's syntax. */
export const QUOTE = 34;
export const COMMA = 44;
const MINUS = 45;
export const DOT = 46;
export const ZERO = 48;
export const COLON = 58;
export const LIST = 91;
export const LIST_END = 93;
export const OBJECT = 123;
export const OBJECT_END = 125;

const TAB = 9;
export const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const PLUS = 43;
const NINE = 57;
const LARGE_E = 69;
const BACKSLASH = 92;
const SMALL_E = 101;
const LAST_OF_ASCII = 126;

/** What ingest reads nests less deep. */
const MAX_SKIPPED_DEPTH = 8;

/** An empty buffer. */
export const NOTHING = Buffer.alloc(0);

/** Integers of up to this many digits are exact in a double, so that one division rounds like parsing the text. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);

/** A text of at least four bytes, which are compared four at a time. The last four may overlap those before. */
export interface Word {
  readonly length: number;
  readonly fours: Int32Array;
  readonly last: number;
}

/** Returns an ASCII text of at least four characters as bytes to compare with. */
export function wordOf(text: string): Word {
  const bytes = Buffer.from(text, 'latin1');
  const fours = Int32Array.from({ length: (bytes.length - 1) >> 2 }, (_, index) =>
    bytes.readInt32LE(index * 4),
  );
  return { length: bytes.length, fours, last: bytes.readInt32LE(bytes.length - 4) };
}

/** A position in the bytes of a JSON text, with methods that read from it. Never reads beyond `end`. */
export class Cursor {
  bytes: Buffer = NOTHING;
  view: DataView = new DataView(NOTHING.buffer);
  at = 0;
  end = 0;

  /** Moves to the beginning of these bytes. */
  begin(bytes: Buffer): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = 0;
    this.end = bytes.length;
  }

  /** Skips white space; returns the byte at the new position, 0 at the end. */
  next(): number {
    const { bytes, end } = this;
    let { at } = this;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte > SPACE || (byte !== SPACE && byte !== LINE_FEED && byte !== RETURN && byte !== TAB)) {
        this.at = at;
        return byte;
      }
    }
    this.at = at;
    return 0;
  }

  /** Skips white space and then this byte; returns whether it was there. */
  take(byte: number): boolean {
    // The byte at `end` is a line feed or missing, so it never equals the expected byte.
    if (this.bytes[this.at] !== byte && this.next() !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Skips white space; returns whether this byte is next. */
  isAt(byte: number): boolean {
    return this.bytes[this.at] === byte || this.next() === byte;
  }

  /** Skips this word if it is next; returns whether it was. */
  takeWord({ length, fours, last }: Word): boolean {
    const { view, at } = this;
    const after = at + length;
    if (after > this.end) return false;
    let place = at;
    for (let index = 0; index < fours.length; index += 1) {
      if (view.getInt32(place, true) !== fours[index]) return false;
      place += 4;
    }
    if (view.getInt32(after - 4, true) !== last) return false;
    this.at = after;
    return true;
  }

  /** Skips the bytes of `other` from `from` to `to` if they are next; returns whether they were. */
  takeBytes(other: DataView, from: number, to: number): boolean {
    const { view, at } = this;
    if (at + to - from > this.end) return false;
    let place = at;
    let index = from;
    for (; index + 4 <= to; index += 4) {
      if (view.getInt32(place, true) !== other.getInt32(index, true)) return false;
      place += 4;
    }
    for (; index < to; index += 1) {
      if (view.getUint8(place) !== other.getUint8(index)) return false;
      place += 1;
    }
    this.at = place;
    return true;
  }

  /**
   * Skips a list or an object in plain ASCII, valid or not; returns the number of members of its objects, -1 for anything
   * else and where it has no end or nests deeper than `MAX_SKIPPED_DEPTH`.
   */
  skipValue(): number {
    const { bytes, end } = this;
    let depth = 0;
    let members = 0;
    for (let at = this.at; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        at = this.#endOfAnyText(at + 1);
        if (at === -1) return -1;
      } else if (byte === COLON) members += 1;
      else if (byte === LIST || byte === OBJECT) {
        depth += 1;
        if (depth > MAX_SKIPPED_DEPTH) return -1;
      } else if (byte === LIST_END || byte === OBJECT_END) {
        depth -= 1;
        if (depth === 0) {
          this.at = at + 1;
          return members;
        }
      } else if (byte > LAST_OF_ASCII) return -1;
      if (depth === 0) return -1;
    }
    return -1;
  }

  /** The position of the closing quote of a text that begins at `start`, with escapes or not; -1 unless it is ASCII. */
  #endOfAnyText(start: number): number {
    const { bytes, end } = this;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
      else if (byte > LAST_OF_ASCII) return -1;
    }
    return -1;
  }

  /** The position of the closing quote of the text whose opening quote was read; -1 if the text is not plain ASCII. */
  endOfText(): number {
    const { bytes, end } = this;
    for (let at = this.at; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at;
      if (byte < SPACE || byte > LAST_OF_ASCII || byte === BACKSLASH) return -1;
    }
    return -1;
  }

  /** Reads a number after white space; NaN if there is no valid JSON number. */
  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at] as number;
    if (byte <= SPACE) byte = this.next();
    const start = this.at;
    let at = start;
    if (byte === MINUS) byte = bytes[++at] as number;
    const first = at;
    let mantissa = 0;
    while (byte >= ZERO && byte <= NINE) {
      mantissa = mantissa * 10 + (byte - ZERO);
      byte = bytes[++at] as number;
    }
    let digits = at - first;
    if (digits === 0 || (digits > 1 && bytes[first] === ZERO)) return Number.NaN;
    let decimals = 0;
    if (byte === DOT) {
      byte = bytes[++at] as number;
      const afterDot = at;
      while (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        byte = bytes[++at] as number;
      }
      decimals = at - afterDot;
      if (decimals === 0) return Number.NaN;
      digits += decimals;
    }
    this.at = at;
    if (digits > EXACT_DIGITS || byte === SMALL_E || byte === LARGE_E) return this.#longNumber(start);
    const value = decimals === 0 ? mantissa : mantissa / (POWERS[decimals] as number);
    return first === start ? value : -value;
  }

  /** Reads a number with many digits or an exponent, which begins at `start`. */
  #longNumber(start: number): number {
    const { bytes } = this;
    let { at } = this;
    if (bytes[at] === SMALL_E || bytes[at] === LARGE_E) {
      at += 1;
      if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
      const first = at;
      while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at += 1;
      if (at === first) return Number.NaN;
    }
    this.at = at;
    return Number(bytes.toString('latin1', start, at));
  }
}
