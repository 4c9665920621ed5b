import { CounterGaps, type Gap, MAX_GAP_MS } from './counter-gaps.ts';
import { FreeNumbers } from './free-numbers.ts';
import { grown, nextSize } from './series-numbers.ts';

/** The columns of a state: time (ms), value and rate (per second) of its last value. */
const WIDTH = 3;
const TIME = 0;
const VALUE = 1;
const RATE = 2;
/** The values of a request have the usual interval (ms) and the start (ms) as well. */
const WORK_WIDTH = 5;
const INTERVAL = 3;
const START = 4;

/** Between two values there is a gap if they are as many usual intervals apart. */
const GAP_INTERVALS = 1.5;

/**
 * Rates of counters. A state has the last value whose request was published, and its rate, so that a request that is sent again
 * gets the same rate; a request that is not published leaves no trace. Values of one request are given in the order of their
 * times between `begin` and `moves`; further requests may be given before its moves are committed.
 *
 * Senders that have several requests under way at once, such as vmagent and OpenTelemetry's Collector, send what could not be taken for
 * a while in any order. So a state keeps the value before a gap: an older value within the gap has its rate since then. Few protocols
 * say since when a counter counts, and few counters have gaps, so that both are kept apart.
 */
export class CounterStates {
  #states = new Float64Array(1_024 * WIDTH);
  /** The usual interval (ms) of the values of each state, 0 before there are two: it is only compared. */
  #intervals = new Float32Array(1_024);
  /** The start (ms) of the last value of each state, 0 where it is not known; empty until the first one is. */
  #starts = new Float64Array(0);
  readonly #gaps = new CounterGaps();
  /** Where the request that is given has its values of each state in `#work`. */
  #workAt = new Int32Array(1_024);
  /** How often each state was released, modulo 65,536, so that a request that is published later does not change its next user. */
  #releases = new Uint16Array(1_024);
  readonly #numbers = new FreeNumbers();
  #touched: number[] = [];
  #work: number[] = [];
  /** The gaps that values of the request ended. */
  #ended: Gap[] = [];

  /** The memory of all states, bytes. */
  get bytes(): number {
    const columns = [this.#states, this.#intervals, this.#starts, this.#workAt, this.#releases];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, this.#gaps.bytes);
  }

  /** A new state, without a value, or with that of the state `like`. */
  create(like?: number): number {
    const state = this.#numbers.take();
    if (state === this.#workAt.length) this.#grow();
    this.#gaps.delete(state);
    if (state < this.#starts.length) this.#starts[state] = 0;
    this.#intervals[state] = like === undefined ? 0 : (this.#intervals[like] as number);
    if (like === undefined) this.#states.fill(0, state * WIDTH, (state + 1) * WIDTH);
    else {
      this.#states.copyWithin(state * WIDTH, like * WIDTH, (like + 1) * WIDTH);
      this.#setStart(state, this.#startOf(like));
      this.#gaps.copy(like, state, this.#workAt.length);
    }
    return state;
  }

  /** Releases a state, which must not be used afterwards. */
  release(state: number): void {
    this.#releases[state] = (this.#releases[state] as number) + 1;
    this.#gaps.delete(state);
    this.#numbers.release(state);
  }

  begin(): void {
    this.#touched = [];
    this.#work = [];
    this.#ended = [];
  }

  /**
   * The rate per second up to `value` at `time` (ms), NaN if there is none: for the first value, for one that is older than the last
   * one and in no gap, and after a reset without a known start. `start` (ms) is the time from which the counter counts, 0 if unknown.
   */
  rate(state: number, time: number, value: number, start: number): number {
    const working = this.#workAt[state] as number;
    const isWorking = this.#touched[working] === state;
    const columns = isWorking ? this.#work : this.#states;
    const at = isWorking ? working * WORK_WIDTH : state * WIDTH;
    const lastTime = columns[at + TIME] as number;
    if (time === lastTime) return columns[at + RATE] as number;
    if (time < lastTime) return this.#gaps.rate(state, time, value, start);
    const lastValue = columns[at + VALUE] as number;
    const lastStart = isWorking ? (columns[at + START] as number) : this.#startOf(state);
    const usual = (isWorking ? columns[at + INTERVAL] : this.#intervals[state]) as number;
    const interval = this.#intervalOf(state, lastTime, lastValue, usual, time);
    const rate = rateSince(lastTime, lastValue, lastStart, time, value, start);
    const next = isWorking ? working : this.#touched.length;
    if (!isWorking) {
      this.#workAt[state] = next;
      this.#touched.push(state);
    }
    const to = next * WORK_WIDTH;
    this.#work[to + TIME] = time;
    this.#work[to + VALUE] = value;
    this.#work[to + RATE] = rate;
    this.#work[to + INTERVAL] = interval;
    this.#work[to + START] = start > 0 ? start : lastStart;
    return rate;
  }

  /** The usual interval of a state after a value at `time`, whose last value and usual interval are given; notes a gap that it ends. */
  #intervalOf(state: number, lastTime: number, lastValue: number, usual: number, time: number): number {
    if (lastTime === 0) return 0;
    const interval = time - lastTime;
    if (usual === 0 || interval <= usual * GAP_INTERVALS) return interval;
    this.#ended.push({ state, time: lastTime, value: lastValue, end: time });
    // Grows little by little where what looks like gaps is a longer interval.
    return Math.min(interval, usual * GAP_INTERVALS);
  }

  /** Returns a function that applies the values since `begin`; it is called once they are published. */
  moves(): () => void {
    const touched = this.#touched;
    const work = this.#work;
    const ended = this.#ended;
    const releases = touched.map((state) => this.#releases[state] as number);
    const gapReleases = ended.map(({ state }) => this.#releases[state]);
    this.begin();
    return () => {
      for (let index = 0; index < touched.length; index += 1) {
        const state = touched[index] as number;
        const from = index * WORK_WIDTH;
        const to = state * WIDTH;
        const isOlder = (work[from + TIME] as number) <= (this.#states[to + TIME] as number);
        if (isOlder || this.#releases[state] !== releases[index]) continue;
        for (let column = 0; column < WIDTH; column += 1)
          this.#states[to + column] = work[from + column] as number;
        this.#intervals[state] = work[from + INTERVAL] as number;
        this.#setStart(state, work[from + START] as number);
      }
      for (const [index, gap] of ended.entries())
        if (this.#releases[gap.state] === gapReleases[index]) this.#gaps.note(gap, this.#workAt.length);
    };
  }

  #startOf(state: number): number {
    return state < this.#starts.length ? (this.#starts[state] as number) : 0;
  }

  #setStart(state: number, start: number): void {
    if (start === this.#startOf(state)) return;
    if (state >= this.#starts.length) this.#starts = grown(this.#starts, this.#workAt.length);
    this.#starts[state] = start;
  }

  #grow(): void {
    const size = nextSize(this.#workAt.length);
    this.#states = grown(this.#states, size * WIDTH);
    this.#intervals = grown(this.#intervals, size);
    this.#workAt = grown(this.#workAt, size);
    this.#releases = grown(this.#releases, size);
  }
}

function rateSince(
  lastTime: number,
  lastValue: number,
  lastStart: number,
  time: number,
  value: number,
  start: number,
): number {
  if (lastTime === 0) return Number.NaN;
  const isRestarted = start > lastTime || (lastStart > 0 && start > lastStart);
  if (value < lastValue || isRestarted)
    return start > 0 && start < time && start >= lastStart && value >= 0 && isRestarted
      ? (value * 1_000) / (time - start)
      : Number.NaN;
  return time - lastTime > MAX_GAP_MS ? Number.NaN : ((value - lastValue) * 1_000) / (time - lastTime);
}
