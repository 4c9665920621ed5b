/** A seeded generator of random numbers: mulberry32 (Tommy Ettinger, public domain). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b9) >>> 0;
    for (let i = 0; i < 8; i++) this.next();
  }

  /** Returns a number from 0 up to, but without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A normally distributed number with mean 0 and deviation 1 (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Returns a whole number from 0 up to, but without, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Returns how many of `trials` succeed if each succeeds with `probability`. */
  binomial(trials: number, probability: number): number {
    const mean = trials * probability;
    if (mean > 30)
      return Math.min(
        trials,
        Math.max(0, Math.round(mean + Math.sqrt(mean * (1 - probability)) * this.normal())),
      );
    let count = 0;
    for (let i = 0; i < trials; i++) if (this.next() < probability) count += 1;
    return count;
  }

  /** A copy in random order (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }
}
