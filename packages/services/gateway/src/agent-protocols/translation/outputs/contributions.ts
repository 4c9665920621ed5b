import { FreeNumbers } from '../../series/free-numbers.ts';
import { grown, nextSize } from '../../series/series-numbers.ts';
import { NONE } from './none.ts';
import type { SharedTexts } from './shared-texts.ts';

/** The columns of a contribution: its output, the number of its key, how many series give it their values, and the next of its output. */
const WIDTH = 4;
const OUTPUT = 0;
const KEY = 1;
const USERS = 2;
const NEXT = 3;

/** Its last value and the time of that (ms), and the time between its last two values (ms), 0 before. */
const VALUES = 3;
const TIME = 0;
const VALUE = 1;
const INTERVAL = 2;

const FIRST_SIZE = 64;
/** The max number of contributions of an output with a key of their own; all others share one. */
const MAX_CONTRIBUTIONS = 1_000;
const OTHERS = '\0others';
/** After this many intervals without a value, a contribution no longer counts. */
const MISSED_INTERVALS = 2.5;
/** It counts for at least so long, ms: where replicas send by turns, the time between two values is not that of a scrape. */
const MIN_EXPECTED_MS = 60_000;

/**
 * What adds to outputs, as rows by their numbers: one of several cores or instances, which a key names. Replicas that send the same
 * share one. Those of an output are linked, from its first one on.
 */
export class Contributions {
  readonly #texts: SharedTexts;
  readonly #numbers = new FreeNumbers();
  #rows = new Int32Array(FIRST_SIZE * WIDTH);
  #values = new Float64Array(FIRST_SIZE * VALUES);

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  /** The contribution with this key to `output`, whose first one is `first`, for one more series: it may be a new one at the end. */
  use(output: number, first: number, key: string): number {
    let known = NONE;
    let last = NONE;
    let count = 0;
    const wanted = this.#texts.find(key);
    for (let each = first; each !== NONE && known === NONE; each = this.#nextOf(each)) {
      if (this.#rows[each * WIDTH + KEY] === wanted) known = each;
      last = each;
      count += 1;
    }
    if (known === NONE && count >= MAX_CONTRIBUTIONS && key !== OTHERS)
      return this.use(output, first, OTHERS);
    if (known === NONE) {
      known = this.#create(output, key);
      if (last !== NONE) this.#rows[last * WIDTH + NEXT] = known;
    }
    this.#rows[known * WIDTH + USERS] = (this.#rows[known * WIDTH + USERS] as number) + 1;
    return known;
  }

  /**
   * Ends that a series gives it its values; without any it is released, so that it no longer counts. Returns the first one of its output,
   * whose first one was `first`; -1 if it has none.
   */
  leave(contribution: number, first: number): number {
    const at = contribution * WIDTH;
    const users = (this.#rows[at + USERS] as number) - 1;
    this.#rows[at + USERS] = users;
    if (users > 0) return first;
    const next = this.#nextOf(contribution);
    this.#texts.release(this.#rows[at + KEY] as number);
    this.#numbers.release(contribution);
    if (contribution === first) return next;
    let before = first;
    while (this.#nextOf(before) !== contribution) before = this.#nextOf(before);
    this.#rows[before * WIDTH + NEXT] = next;
    return first;
  }

  outputOf(contribution: number): number {
    return this.#rows[contribution * WIDTH + OUTPUT] as number;
  }

  timeOf(contribution: number): number {
    return this.#values[contribution * VALUES + TIME] as number;
  }

  valueOf(contribution: number): number {
    return this.#values[contribution * VALUES + VALUE] as number;
  }

  set(contribution: number, time: number, value: number): void {
    this.#values[contribution * VALUES + TIME] = time;
    this.#values[contribution * VALUES + VALUE] = value;
  }

  setInterval(contribution: number, interval: number): void {
    this.#values[contribution * VALUES + INTERVAL] = interval;
  }

  /**
   * The sum or mean of all contributions at `time`, ms, from the first one on. A contribution belongs to the time if it lies within `stepMs`
   * of it, and one that comes at times of its own (`isApart`) if it is not too far from it. NaN while one that is still expected is
   * missing, such as a core that comes with another request of the same scrape, and where it is not known what others were at a time
   * long ago.
   */
  combined(first: number, isMean: boolean, isApart: boolean, time: number, stepMs: number): number {
    let sum = 0;
    let count = 0;
    for (let each = first; each !== NONE; each = this.#nextOf(each)) {
      const at = this.timeOf(each);
      const value = this.valueOf(each);
      const distance = Math.abs(at - time);
      const reach = MISSED_INTERVALS * (this.#values[each * VALUES + INTERVAL] as number);
      if (distance < stepMs || (isApart && distance <= reach)) {
        if (isApart && Number.isNaN(value)) continue;
        sum += value;
        count += 1;
      } else if (isApart) {
        if (at > time) return Number.NaN;
      } else if (time - at <= Math.max(MIN_EXPECTED_MS, reach) && at > 0) return Number.NaN;
    }
    if (count === 0) return Number.NaN;
    return isMean ? sum / count : sum;
  }

  #nextOf(contribution: number): number {
    return this.#rows[contribution * WIDTH + NEXT] as number;
  }

  #create(output: number, key: string): number {
    const number = this.#numbers.take();
    if ((number + 1) * WIDTH > this.#rows.length) {
      const size = nextSize(number);
      this.#rows = grown(this.#rows, size * WIDTH);
      this.#values = grown(this.#values, size * VALUES);
    }
    this.#rows.set([output, this.#texts.use(key), 0, NONE], number * WIDTH);
    this.#values.fill(0, number * VALUES, (number + 1) * VALUES);
    return number;
  }
}
