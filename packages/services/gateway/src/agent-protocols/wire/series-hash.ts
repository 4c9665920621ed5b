/**
 * Hashes the bytes by which a series is known: by numbers of 32 and 52 bits that no two of millions of series are likely to
 * share. Each bit depends on the seed, which is random for each process, so that nobody can make series that have the same hash.
 * Begin with `begin`, add bytes or texts in the order in which they identify the series, and read `high` and `low`.
 */
export class SeriesHash {
  readonly #seed: readonly [number, number];
  /** Two sums over the same numbers, which multiply and rotate differently, so that no change is without effect in both. */
  #one = 0;
  #two = 0;
  /** Two more, over every second word of bytes: a processor computes sums of which none needs another at the same time. */
  #three = 0;
  #four = 0;

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
    this.#four = (this.#seed[1] ^ 0x7f4a7c15) | 0;
  }

  /** Adds the bytes from `start` up to `end`, and their number, by words of four bytes, two at once. */
  bytes(source: DataView, start: number, end: number): void {
    let one = this.#one;
    let two = this.#two;
    let three = this.#three;
    let four = this.#four;
    let at = start;
    for (const last = end - 8; at <= last; at += 8) {
      const word = source.getInt32(at, true);
      const next = source.getInt32(at + 4, true);
      one = Math.imul(((one << 13) | (one >>> 19)) ^ word, 0x2c1b3c6d);
      two = Math.imul(((two << 7) | (two >>> 25)) ^ word, 0x5bd1e995);
      three = Math.imul(((three << 13) | (three >>> 19)) ^ next, 0x297a2d39);
      four = Math.imul(((four << 7) | (four >>> 25)) ^ next, 0x1b873593);
    }
    this.#three = three;
    this.#four = four;
    if (end - at >= 4) {
      const word = source.getInt32(at, true);
      one = Math.imul(((one << 13) | (one >>> 19)) ^ word, 0x2c1b3c6d);
      two = Math.imul(((two << 7) | (two >>> 25)) ^ word, 0x5bd1e995);
      at += 4;
    }
    for (; at < end; at += 1) {
      const byte = source.getUint8(at);
      one = Math.imul(((one << 13) | (one >>> 19)) ^ byte, 0x2c1b3c6d);
      two = Math.imul(((two << 7) | (two >>> 25)) ^ byte, 0x5bd1e995);
    }
    this.#one = one;
    this.#two = two;
    this.number(end - start);
  }

  /** Adds a text by its UTF-16 code units. */
  text(source: string): void {
    for (let at = 0; at < source.length; at += 1) this.number(source.charCodeAt(at));
    this.number(source.length);
  }

  /** Adds the low 32 bits of a number. */
  number(value: number): void {
    this.#one = Math.imul(((this.#one << 13) | (this.#one >>> 19)) ^ value, 0x2c1b3c6d);
    this.#two = Math.imul(((this.#two << 7) | (this.#two >>> 25)) ^ value, 0x5bd1e995);
  }

  /** Adds the low 32 bits of two numbers. */
  twoNumbers(first: number, second: number): void {
    this.number(first);
    this.#three = Math.imul(((this.#three << 13) | (this.#three >>> 19)) ^ second, 0x297a2d39);
    this.#four = Math.imul(((this.#four << 7) | (this.#four >>> 25)) ^ second, 0x1b873593);
  }

  /** As `twoNumbers` for each of the first `count` references, of the numbers at twice its value and behind it. */
  numbersOf(numbers: Int32Array, references: Uint32Array, count: number): void {
    let one = this.#one;
    let two = this.#two;
    let three = this.#three;
    let four = this.#four;
    for (let index = 0; index < count; index += 1) {
      const at = 2 * (references[index] as number);
      const first = numbers[at] as number;
      const second = numbers[at + 1] as number;
      one = Math.imul(((one << 13) | (one >>> 19)) ^ first, 0x2c1b3c6d);
      two = Math.imul(((two << 7) | (two >>> 25)) ^ first, 0x5bd1e995);
      three = Math.imul(((three << 13) | (three >>> 19)) ^ second, 0x297a2d39);
      four = Math.imul(((four << 7) | (four >>> 25)) ^ second, 0x1b873593);
    }
    this.#one = one;
    this.#two = two;
    this.#three = three;
    this.#four = four;
  }

  /** 32 bits as a signed integer, which maps find fastest. */
  get high(): number {
    return mix(this.#one ^ mix(this.#three));
  }

  /** 52 further bits as an integer. */
  get low(): number {
    return (mix(this.#two ^ Math.imul(this.#four, 0x85ebca6b)) >>> 0) * 0x10_0000 + (mix(this.#four) >>> 12);
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
