import { FreeNumbers } from '../../series/free-numbers.ts';
import { grown, nextSize } from '../../series/series-numbers.ts';
import { Contributions } from './contributions.ts';
import { KnownParts } from './known-parts.ts';
import { NO_GROUP, NONE } from './none.ts';
import { OutputOrder } from './output-order.ts';
import { SharedTexts } from './shared-texts.ts';
import { SmallNumbers } from './small-numbers.ts';

/**
 * The columns of an output: the number of its part, or below 0 of its host (`~host`); the number of the text of its metric; the next
 * output of its part or host; its first contribution; and its first link to what is computed from it.
 */
const WIDTH = 5;
const OWNER = 0;
const METRIC = 1;
const NEXT = 2;
const CONTRIBUTION = 3;
const LINK = 4;
const FIRST_SIZE = 256;

/** Its columns of small numbers: its position in its part or host; how many series give it their values; and its rank and flags. */
const SMALL_WIDTH = 3;
const ORDER = 0;
const USERS = 1;
const STATE = 2;

/** The rank is above the flags, and increased by one, so that that of a sent value (-1) is 0. */
const RANK_SHIFT = 4;
const FLAGS = 15;
const IS_MEAN = 1;
const IS_APART = 2;
const IS_HIDDEN = 4;
const IS_COMPUTED = 8;
/** The rank of a value that was sent. */
export const SENT = -1;
/** Above that of every row. */
export const NO_RANK = 4_094;

/** An input that stayed away for longer than this is no longer expected, ms. */
export const INPUT_GONE_MS = 5 * 60_000;

/**
 * The metrics of hosts and of their parts that are stored, or computed with, of all organizations: outputs, as rows by their numbers. A
 * number that is released is given again, so that nothing may refer to an output that was released: its series, what is computed from
 * it and its contributions end before it (`HostOutputs`).
 */
export class Outputs {
  readonly texts = new SharedTexts();
  readonly parts = new KnownParts();
  readonly contributions = new Contributions(this.texts);
  readonly #numbers = new FreeNumbers();
  readonly #order = new OutputOrder((one, other) => this.#compare(one, other));
  #rows = new Int32Array(FIRST_SIZE * WIDTH);
  readonly #small = new SmallNumbers(FIRST_SIZE * SMALL_WIDTH);
  /** The group of points that set each last. */
  #groups = new Uint16Array(FIRST_SIZE);
  /** The time (ms) and value of each that it had last, by turns. */
  #values = new Float64Array(FIRST_SIZE * 2);

  /**
   * An output without a value. `owner` is the number of its part, or `~host`; `order` is its position among the metrics of that; `next`
   * is another output of it.
   */
  create(owner: number, metric: string, order: number, next: number): number {
    const output = this.#numbers.take();
    if ((output + 1) * WIDTH > this.#rows.length) {
      const size = nextSize(output);
      this.#rows = grown(this.#rows, size * WIDTH);
      this.#small.grow(size * SMALL_WIDTH);
      this.#groups = grown(this.#groups, size);
      this.#values = grown(this.#values, size * 2);
    }
    this.#rows.set([owner, this.texts.use(metric), next, NONE, NONE], output * WIDTH);
    this.#groups[output] = NO_GROUP;
    const small = output * SMALL_WIDTH;
    this.#small.set(small + ORDER, order);
    this.#small.set(small + USERS, 0);
    this.#small.set(small + STATE, (NO_RANK + 1) << RANK_SHIFT);
    this.#values.fill(0, output * 2, (output + 1) * 2);
    return output;
  }

  release(output: number): void {
    this.texts.release(this.#rows[output * WIDTH + METRIC] as number);
    this.#numbers.release(output);
  }

  /** The number of its part; -1 for a metric of the host itself. */
  partOf(output: number): number {
    return Math.max(NONE, this.#rows[output * WIDTH + OWNER] as number);
  }

  hostOf(output: number): number {
    const owner = this.#rows[output * WIDTH + OWNER] as number;
    return owner < 0 ? ~owner : this.parts.hostOf(owner);
  }

  metricOf(output: number): string {
    return this.texts.of(this.#rows[output * WIDTH + METRIC] as number);
  }

  /** The output of a metric among those that follow `first`, by the number of its text; -1 if there is none. */
  find(first: number, metric: number): number {
    let output = first;
    while (output !== NONE && this.#rows[output * WIDTH + METRIC] !== metric) output = this.nextOf(output);
    return output;
  }

  nextOf(output: number): number {
    return this.#rows[output * WIDTH + NEXT] as number;
  }

  setNext(output: number, next: number): void {
    this.#rows[output * WIDTH + NEXT] = next;
  }

  /** Outputs of a host as they are ordered in its payloads: parts after the host, the metrics of a part beside each other. */
  ordered(outputs: readonly number[]): readonly number[] {
    return this.#order.sorted(outputs);
  }

  /** Counts series that give it their values; returns how many there are. */
  addUsers(output: number, count: number): number {
    const at = output * SMALL_WIDTH + USERS;
    const users = this.#small.of(at) + count;
    this.#small.set(at, users);
    return users;
  }

  /** Its last value, and the time of that, ms; 0 before. */
  valueOf(output: number): number {
    return this.#values[output * 2 + 1] as number;
  }

  timeOf(output: number): number {
    return this.#values[output * 2] as number;
  }

  /** The row by which it was last computed; -1 for a value that was sent. */
  rankOf(output: number): number {
    return (this.#small.of(output * SMALL_WIDTH + STATE) >> RANK_SHIFT) - 1;
  }

  set(output: number, time: number, value: number, rank: number): void {
    this.#values[output * 2] = time;
    this.#values[output * 2 + 1] = value;
    const at = output * SMALL_WIDTH + STATE;
    this.#small.set(at, ((rank + 1) << RANK_SHIFT) | (this.#small.of(at) & FLAGS));
  }

  /** The group of points that set it last. */
  groupOf(output: number): number {
    return this.#groups[output] as number;
  }

  setGroup(output: number, group: number): void {
    this.#groups[output] = group;
  }

  /** Forgets the groups of all, before their numbers are given again. */
  forgetGroups(): void {
    this.#groups.fill(NO_GROUP);
  }

  /** Its first link to what is computed from it; see `Computations`. */
  linkOf(output: number): number {
    return this.#rows[output * WIDTH + LINK] as number;
  }

  setLink(output: number, link: number): void {
    this.#rows[output * WIDTH + LINK] = link;
  }

  /** Whether it is the mean of its contributions in place of their sum. */
  setMean(output: number, isMean: boolean): void {
    this.#setFlag(output, IS_MEAN, isMean);
  }

  /** Whether its contributions come at times of their own: the last value of each counts while it is not too old. */
  setApart(output: number, isApart: boolean): void {
    this.#setFlag(output, IS_APART, isApart);
  }

  /** Whether it is only computed with, and not stored. */
  isHidden(output: number): boolean {
    return this.#hasFlag(output, IS_HIDDEN);
  }

  setHidden(output: number, isHidden: boolean): void {
    this.#setFlag(output, IS_HIDDEN, isHidden);
  }

  /** Whether it is computed from others, so that it is kept without series. */
  isComputed(output: number): boolean {
    return this.#hasFlag(output, IS_COMPUTED);
  }

  setComputed(output: number): void {
    this.#setFlag(output, IS_COMPUTED, true);
  }

  /** Its contribution with this key, for one more series. */
  contribution(output: number, key: string): number {
    const at = output * WIDTH + CONTRIBUTION;
    const first = this.#rows[at] as number;
    const contribution = this.contributions.use(output, first, key);
    if (first === NONE) this.#rows[at] = contribution;
    return contribution;
  }

  /** Ends that a series gives a contribution its values. */
  leave(contribution: number): void {
    const at = this.contributions.outputOf(contribution) * WIDTH + CONTRIBUTION;
    this.#rows[at] = this.contributions.leave(contribution, this.#rows[at] as number);
  }

  /** What its contributions make up at `time`; see `Contributions`. */
  combined(output: number, time: number, stepMs: number): number {
    const first = this.#rows[output * WIDTH + CONTRIBUTION] as number;
    const isMean = this.#hasFlag(output, IS_MEAN);
    return this.contributions.combined(first, isMean, this.#hasFlag(output, IS_APART), time, stepMs);
  }

  /** Whether it has a value at this time (ms), is expected to get one, or is not expected any more. */
  presenceOf(output: number, time: number, stepMs: number): 'present' | 'expected' | 'gone' {
    const last = this.timeOf(output);
    const age = Math.abs(time - last);
    if (age < stepMs) return 'present';
    return last > 0 && age <= INPUT_GONE_MS ? 'expected' : 'gone';
  }

  #compare(one: number, other: number): number {
    const part = this.#rows[one * WIDTH + OWNER] as number;
    const ofOther = this.#rows[other * WIDTH + OWNER] as number;
    if (part === ofOther)
      return this.#small.of(one * SMALL_WIDTH + ORDER) - this.#small.of(other * SMALL_WIDTH + ORDER);
    if (part < 0 || ofOther < 0) return part - ofOther;
    return this.parts.indexOf(part) - this.parts.indexOf(ofOther);
  }

  #hasFlag(output: number, flag: number): boolean {
    return (this.#small.of(output * SMALL_WIDTH + STATE) & flag) !== 0;
  }

  #setFlag(output: number, flag: number, isSet: boolean): void {
    const at = output * SMALL_WIDTH + STATE;
    const state = this.#small.of(at);
    this.#small.set(at, isSet ? state | flag : state & ~flag);
  }
}
