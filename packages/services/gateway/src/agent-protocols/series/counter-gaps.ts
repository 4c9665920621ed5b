import { FreeNumbers } from './free-numbers.ts';
import { grown, nextSize } from './series-numbers.ts';

/** The columns of a gap: time (ms) and value before it, and the time of the value that ended it. */
const WIDTH = 3;
const TIME = 0;
const VALUE = 1;
const END = 2;
const FIRST_SIZE = 64;
const NONE = 0;

/** A counter that stayed away for longer begins again: a mean over more would hide what happened. */
export const MAX_GAP_MS = 5 * 60_000;

/** That a counter stayed away between two values: the time (ms) and value before, and the time of the value that ended it. */
export interface Gap {
  state: number;
  time: number;
  value: number;
  end: number;
}

/** The last gaps of counters, by the numbers of their states. Most counters have none, and take four bytes then. */
export class CounterGaps {
  /** The row of each state in `#rows`, one more than its position; empty until the first gap. */
  #rowOf = new Int32Array(0);
  #rows = new Float64Array(0);
  readonly #numbers = new FreeNumbers();

  get bytes(): number {
    return this.#rowOf.byteLength + this.#rows.byteLength;
  }

  /** A second gap soon after the first is one with it: the values of both may still come. `length` is that of lists by state. */
  note({ state, time, value, end }: Gap, length: number): void {
    const known = this.#rowOf[state] ?? NONE;
    const at = (known === NONE ? this.#add(state, length) : known - 1) * WIDTH;
    const rows = this.#rows;
    if (known === NONE || end - (rows[at + TIME] as number) > MAX_GAP_MS) {
      rows[at + TIME] = time;
      rows[at + VALUE] = value;
      rows[at + END] = end;
    } else rows[at + END] = Math.max(rows[at + END] as number, end);
  }

  /** The rate of a value that is older than the last one, since the value before the gap; NaN outside of it. See `CounterStates.rate`. */
  rate(state: number, time: number, value: number, start: number): number {
    const known = this.#rowOf[state] ?? NONE;
    if (known === NONE) return Number.NaN;
    const at = (known - 1) * WIDTH;
    const since = this.#rows[at + TIME] as number;
    const isWithin = time > since && time < (this.#rows[at + END] as number);
    const added = value - (this.#rows[at + VALUE] as number);
    if (!isWithin || time - since > MAX_GAP_MS || added < 0 || start > since) return Number.NaN;
    return (added * 1_000) / (time - since);
  }

  /** Gives a state, which has none, the gap of another one. */
  copy(from: number, to: number, length: number): void {
    const known = this.#rowOf[from] ?? NONE;
    if (known === NONE) return;
    const row = this.#add(to, length);
    this.#rows.copyWithin(row * WIDTH, (known - 1) * WIDTH, known * WIDTH);
  }

  delete(state: number): void {
    const known = this.#rowOf[state] ?? NONE;
    if (known === NONE) return;
    this.#rowOf[state] = NONE;
    this.#numbers.release(known - 1);
  }

  #add(state: number, length: number): number {
    if (state >= this.#rowOf.length) this.#rowOf = grown(this.#rowOf, length);
    const row = this.#numbers.take();
    if ((row + 1) * WIDTH > this.#rows.length)
      this.#rows = grown(this.#rows, WIDTH * Math.max(FIRST_SIZE, nextSize(row)));
    this.#rowOf[state] = row + 1;
    return row;
  }
}
