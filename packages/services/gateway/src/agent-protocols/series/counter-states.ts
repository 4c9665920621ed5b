import { grown, nextSize } from './series-numbers.ts';

/** The columns of a state: time (ms), value, rate (per second) and start (ms) of its last value, and the usual interval (ms) of its values. */
const WIDTH = 5;
const TIME = 0;
const VALUE = 1;
const RATE = 2;
const START = 3;
const INTERVAL = 4;

/** The columns of the last gap of a state: time (ms) and value before it, and the time of the value that ended it. */
const GAP_WIDTH = 3;
const GAP_TIME = 0;
const GAP_VALUE = 1;
const GAP_END = 2;

interface Gap {
  state: number;
  time: number;
  value: number;
  end: number;
}

/** A counter that stayed away for longer begins again: a mean over more would hide what happened. */
const MAX_GAP_MS = 5 * 60_000;
/** Between two values there is a gap if they are as many usual intervals apart. */
const GAP_INTERVALS = 1.5;

/**
 * Rates of counters. A state has the last value whose request was published, and its rate, so that a request that is sent again
 * gets the same rate; a request that is not published leaves no trace. Values of one request are given in the order of their
 * times between `begin` and `moves`; further requests may be given before its moves are committed.
 *
 * Senders that have several requests under way at once, such as vmagent and OpenTelemetry's Collector, send what could not be taken for
 * a while in any order. So a state keeps the value before a gap: an older value within the gap has its rate since then.
 */
export class CounterStates {
  #states = new Float64Array(1_024 * WIDTH);
  #gaps = new Float64Array(1_024 * GAP_WIDTH);
  /** Where the request that is given has its values of each state in `#work`. */
  #workAt = new Int32Array(1_024);
  /** How often each state was released, so that a request that is published later does not change its next user. */
  #releases = new Uint32Array(1_024);
  #used = 0;
  readonly #free: number[] = [];
  #touched: number[] = [];
  #work: number[] = [];
  /** The gaps that values of the request ended. */
  #ended: Gap[] = [];

  /** The memory of all states, bytes. */
  get bytes(): number {
    return (
      this.#states.byteLength + this.#gaps.byteLength + this.#workAt.byteLength + this.#releases.byteLength
    );
  }

  /** A new state, without a value, or with that of the state `like`. */
  create(like?: number): number {
    const state = this.#free.pop() ?? this.#used++;
    if (state === this.#workAt.length) this.#grow();
    if (like === undefined) {
      this.#states.fill(0, state * WIDTH, (state + 1) * WIDTH);
      this.#gaps.fill(0, state * GAP_WIDTH, (state + 1) * GAP_WIDTH);
    } else {
      this.#states.copyWithin(state * WIDTH, like * WIDTH, (like + 1) * WIDTH);
      this.#gaps.copyWithin(state * GAP_WIDTH, like * GAP_WIDTH, (like + 1) * GAP_WIDTH);
    }
    return state;
  }

  /** Releases a state, which must not be used afterwards. */
  release(state: number): void {
    this.#releases[state] = (this.#releases[state] as number) + 1;
    this.#free.push(state);
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
    const at = (isWorking ? working : state) * WIDTH;
    const lastTime = columns[at + TIME] as number;
    if (time === lastTime) return columns[at + RATE] as number;
    if (time < lastTime) return this.#rateInGap(state, time, value, start);
    const lastValue = columns[at + VALUE] as number;
    const lastStart = columns[at + START] as number;
    const interval = this.#intervalOf(state, lastTime, lastValue, columns[at + INTERVAL] as number, time);
    const rate = rateSince(lastTime, lastValue, lastStart, time, value, start);
    const next = isWorking ? working : this.#touched.length;
    if (!isWorking) {
      this.#workAt[state] = next;
      this.#touched.push(state);
    }
    this.#work[next * WIDTH + TIME] = time;
    this.#work[next * WIDTH + VALUE] = value;
    this.#work[next * WIDTH + RATE] = rate;
    this.#work[next * WIDTH + START] = start > 0 ? start : lastStart;
    this.#work[next * WIDTH + INTERVAL] = interval;
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

  /** The rate of a value that is older than the last one, since the value before the last gap; NaN outside of it. */
  #rateInGap(state: number, time: number, value: number, start: number): number {
    const at = state * GAP_WIDTH;
    const since = this.#gaps[at + GAP_TIME] as number;
    const isWithin = since > 0 && time > since && time < (this.#gaps[at + GAP_END] as number);
    const added = value - (this.#gaps[at + GAP_VALUE] as number);
    if (!isWithin || time - since > MAX_GAP_MS || added < 0 || start > since) return Number.NaN;
    return (added * 1_000) / (time - since);
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
      for (const [index, state] of touched.entries()) {
        const from = index * WIDTH;
        const to = state * WIDTH;
        const isOlder = (work[from + TIME] as number) <= (this.#states[to + TIME] as number);
        if (isOlder || this.#releases[state] !== releases[index]) continue;
        for (let column = 0; column < WIDTH; column += 1)
          this.#states[to + column] = work[from + column] as number;
      }
      for (const [index, gap] of ended.entries())
        if (this.#releases[gap.state] === gapReleases[index]) this.#noteGap(gap);
    };
  }

  /** A second gap soon after the first is one with it: the values of both may still come. */
  #noteGap({ state, time, value, end }: Gap): void {
    const gaps = this.#gaps;
    const at = state * GAP_WIDTH;
    const since = gaps[at + GAP_TIME] as number;
    if (since === 0 || end - since > MAX_GAP_MS) {
      gaps[at + GAP_TIME] = time;
      gaps[at + GAP_VALUE] = value;
      gaps[at + GAP_END] = end;
    } else gaps[at + GAP_END] = Math.max(gaps[at + GAP_END] as number, end);
  }

  #grow(): void {
    const size = nextSize(this.#workAt.length);
    this.#states = grown(this.#states, size * WIDTH);
    this.#gaps = grown(this.#gaps, size * GAP_WIDTH);
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
