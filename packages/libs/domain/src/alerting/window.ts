import type { Transform } from '@tidewatch/contracts/rules/rule-terms';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { CounterResets } from './counter-resets.ts';

/** The number of parts of a window; samples enter and leave the statistics of a window by whole parts. */
const PARTS = 120;
/** A derived value exists once the samples in its window cover this share of the window's length. */
const COVERAGE = 0.5;

/**
 * Sums over the samples of one part of a window. Times are in ms from the start of the part, so that their squares stay
 * exact.
 */
interface Part {
  start: number;
  count: number;
  sum: number;
  least: number;
  greatest: number;
  firstTime: number;
  firstValue: number;
  sumTime: number;
  sumTimeValue: number;
  sumTimeSquared: number;
}

/**
 * The last minutes of one stream, in bounded memory: whole parts of a hundred and twentieth of the window, so that what
 * leaves it leaves part by part. The same samples in the same order give the same values, whenever it was made.
 */
export class Window {
  readonly #transform: Transform;
  /** The length of the window, ms. */
  readonly overMs: number;
  readonly #partMs: number;
  readonly #parts: Part[] = [];
  /** Removes resets from a counter whose change is evaluated; null for all other quantities. */
  readonly #resets: CounterResets | null;
  #lastTime = Number.NEGATIVE_INFINITY;
  #lastValue = 0;

  /** `metric` is what is transformed: of counters, by their names, change and rate do not fall where they begin again. */
  constructor(transform: Transform, metric: string) {
    this.#transform = transform;
    const isChange = transform.kind === 'change' || transform.kind === 'rate_per_minute';
    this.#resets = isChange && unitOf(metric) === 'count' ? new CounterResets() : null;
    this.overMs = transform.over_minutes * MINUTE_MS;
    this.#partMs = this.overMs / PARTS;
  }

  /** Drops all samples. */
  clear(): void {
    this.#parts.length = 0;
    this.#lastTime = Number.NEGATIVE_INFINITY;
    this.#resets?.clear();
  }

  /** Moves all times by `by` ms; the newest lies at most at `until` then. */
  shift(by: number, until: number): void {
    for (const part of this.#parts) {
      part.start += by;
      part.firstTime += by;
    }
    this.#lastTime = Math.min(this.#lastTime + by, until);
  }

  /** The time of the newest sample taken, ms; -Infinity before the first. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /**
   * Adds a sample and returns the derived value at its time, null while less than half of the window is covered. A
   * sample of the newest time replaces that one; older ones are ignored.
   */
  take(time: number, value: number): number | null {
    if (time < this.#lastTime) return null;
    if (time > this.#lastTime && this.#lastTime !== Number.NEGATIVE_INFINITY) {
      this.#fold(this.#lastTime, this.#lastValue);
      this.#resets?.keep();
    }
    this.#lastTime = time;
    this.#lastValue = this.#resets?.take(value) ?? value;
    while (this.#parts.length > 0 && (this.#parts[0] as Part).start + this.#partMs <= time - this.overMs)
      this.#parts.shift();
    const oldest = this.#parts[0];
    if (oldest === undefined || time - oldest.firstTime < COVERAGE * this.overMs) return null;
    return this.#derive(oldest);
  }

  #fold(time: number, value: number): void {
    const start = Math.floor(time / this.#partMs) * this.#partMs;
    let part = this.#parts.at(-1);
    if (part?.start !== start) {
      part = {
        start,
        count: 0,
        sum: 0,
        least: value,
        greatest: value,
        firstTime: time,
        firstValue: value,
        sumTime: 0,
        sumTimeValue: 0,
        sumTimeSquared: 0,
      };
      this.#parts.push(part);
    }
    const offset = time - start;
    part.count += 1;
    part.sum += value;
    part.least = Math.min(part.least, value);
    part.greatest = Math.max(part.greatest, value);
    part.sumTime += offset;
    part.sumTimeValue += offset * value;
    part.sumTimeSquared += offset * offset;
  }

  #derive(oldest: Part): number | null {
    const value = this.#lastValue;
    switch (this.#transform.kind) {
      case 'average': {
        let count = 1;
        let sum = value;
        for (const part of this.#parts) {
          count += part.count;
          sum += part.sum;
        }
        return finite(sum / count);
      }
      case 'minimum':
        return this.#parts.reduce((least, part) => Math.min(least, part.least), value);
      case 'maximum':
        return this.#parts.reduce((greatest, part) => Math.max(greatest, part.greatest), value);
      case 'change':
        return finite(value - oldest.firstValue);
      case 'rate_per_minute':
        return finite((value - oldest.firstValue) / ((this.#lastTime - oldest.firstTime) / MINUTE_MS));
      case 'forecast':
        return finite(this.#lineAt(this.#transform.ahead_minutes * MINUTE_MS));
    }
  }

  /** The value that a least-squares line through the window predicts for `ahead` ms after the newest sample. */
  #lineAt(ahead: number): number {
    let count = 1;
    let sumTime = 0;
    let sumValue = this.#lastValue;
    let sumTimeValue = 0;
    let sumTimeSquared = 0;
    for (const part of this.#parts) {
      // Times are counted from the newest sample, minutes.
      const shift = (part.start - this.#lastTime) / MINUTE_MS;
      const inner = part.sumTime / MINUTE_MS;
      count += part.count;
      sumValue += part.sum;
      sumTime += inner + part.count * shift;
      sumTimeValue += part.sumTimeValue / MINUTE_MS + shift * part.sum;
      sumTimeSquared += part.sumTimeSquared / MINUTE_MS ** 2 + 2 * shift * inner + part.count * shift * shift;
    }
    const spread = count * sumTimeSquared - sumTime * sumTime;
    const slope = (count * sumTimeValue - sumTime * sumValue) / spread;
    const now = (sumValue - slope * sumTime) / count;
    return now + slope * (ahead / MINUTE_MS);
  }
}

/** A sum of huge values may overflow, which is no verdict. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
