/**
 * Hashes the bytes by which a series is known: by numbers of 32 and 52 bits that no two of millions of series are likely to
 * share. Each bit depends on the seed, which is random for each process, so that nobody can make series that have the same hash.
 * Begin with `begin`, add bytes or texts in the order in which they identify the series, and read `high` and `low`.
 */
export class SeriesHash {
  readonly #seed: readonly [number, number];
  #one = 0;
  #two = 0;
  #three = 0;

  constructor(seed: readonly [number, number]) {
    this.#seed = seed;
  }

  /** A hash for the series of one origin, which differ from those of others with the same bytes. */
  of(origin: string): SeriesHash {
    this.begin();
    this.text(origin);
    return new SeriesHash([mix(this.#one ^ this.#three), mix(this.#two)]);
  }

  begin(): void {
    this.#one = this.#seed[0] | 0;
    this.#two = this.#seed[1] | 0;
    this.#three = (this.#seed[0] ^ 0x9e3779b9) | 0;
  }

  /**
   * Adds the bytes from `start` up to `end`, and their number. Words of four bytes are added at once, rotated differently for each
   * of the three sums: the highest bits, which a multiplication spreads no further, are in the middle of another sum.
   */
  bytes(source: DataView, start: number, end: number): void {
    let one = this.#one;
    let two = this.#two;
    let three = this.#three;
    let at = start;
    for (const last = end - 4; at <= last; at += 4) {
      const word = source.getInt32(at, true);
      one = Math.imul(one ^ word, 0x01000193);
      two = Math.imul(two ^ (((word << 16) | (word >>> 16)) + (two >>> 15)), 0x5bd1e995);
      three = Math.imul((three << 5) ^ (three >>> 27) ^ ((word << 8) | (word >>> 24)), 0x2c1b3c6d);
    }
    for (; at < end; at += 1) {
      const byte = source.getUint8(at);
      one = Math.imul(one ^ byte, 0x01000193);
      two = Math.imul(two ^ (byte + (two >>> 15)), 0x5bd1e995);
      three = Math.imul((three << 5) ^ (three >>> 27) ^ byte, 0x2c1b3c6d);
    }
    this.#one = one;
    this.#two = two;
    this.#three = three;
    this.number(end - start);
  }

  /** Adds a text by its UTF-16 code units. */
  text(source: string): void {
    for (let at = 0; at < source.length; at += 1) this.number(source.charCodeAt(at));
    this.number(source.length);
  }

  /** Adds the low 32 bits of a number. */
  number(value: number): void {
    this.#one = Math.imul(this.#one ^ value, 0x01000193);
    this.#two = Math.imul(this.#two ^ (value + (this.#two >>> 15)), 0x5bd1e995);
    this.#three = Math.imul((this.#three << 5) ^ (this.#three >>> 27) ^ value, 0x2c1b3c6d);
  }

  /** Adds two numbers for each of the first `count` references: those at twice its value and behind it. */
  numbersOf(numbers: Int32Array, references: Uint32Array, count: number): void {
    let one = this.#one;
    let two = this.#two;
    let three = this.#three;
    for (let index = 0; index < count; index += 1) {
      const at = 2 * (references[index] as number);
      const high = numbers[at] as number;
      one = Math.imul(one ^ high, 0x01000193);
      two = Math.imul(two ^ (high + (two >>> 15)), 0x5bd1e995);
      three = Math.imul((three << 5) ^ (three >>> 27) ^ high, 0x2c1b3c6d);
      const low = numbers[at + 1] as number;
      one = Math.imul(one ^ low, 0x01000193);
      two = Math.imul(two ^ (low + (two >>> 15)), 0x5bd1e995);
      three = Math.imul((three << 5) ^ (three >>> 27) ^ low, 0x2c1b3c6d);
    }
    this.#one = one;
    this.#two = two;
    this.#three = three;
  }

  /** 32 bits as a signed integer, which maps find fastest. */
  get high(): number {
    return mix(this.#one ^ (this.#three >>> 7));
  }

  /** 52 further bits as an integer. */
  get low(): number {
    return (
      (mix(this.#two ^ Math.imul(this.#three, 0x85ebca6b)) >>> 0) * 0x10_0000 + (mix(this.#three) >>> 12)
    );
  }
}

/** Spreads each bit of a number over all 32, after MurmurHash3's last step (public domain). */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
