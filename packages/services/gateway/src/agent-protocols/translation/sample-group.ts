import type { Computations } from './computed/computations.ts';
import type { Destination } from './destination.ts';
import type { Mode } from './metric-place.ts';
import { NONE } from './outputs/none.ts';
import { type Outputs, SENT } from './outputs/outputs.ts';
import type { SubjectList } from './subjects/subject-list.ts';

/** Where the values of a group go. */
export interface GroupStores {
  outputs: Outputs;
  computations: Computations;
}

/** The points of one host at one time: gives outputs their values, and computes what is made of them. */
export class SampleGroup {
  readonly #outputs: Outputs;
  readonly #computations: Computations;
  readonly #id: number;
  readonly #first: number;
  readonly #stepMs: number;
  /** The outputs that have a value and are stored, those whose contributions have one, and what is to be computed of them. */
  readonly #given: number[] = [];
  readonly #combined: number[] = [];
  readonly #computed: number[] = [];
  /** The lists of containers and processes of which it has a value. */
  readonly lists = new Set<SubjectList>();
  /** Contributions that are older than their last ones, which come back once everything is computed. */
  readonly #later: { contribution: number; time: number; value: number }[] = [];

  /** `first` is the time of its first point, ms; `id` is that of no other group, and not 0. */
  constructor({ outputs, computations }: GroupStores, id: number, first: number, stepMs: number) {
    this.#outputs = outputs;
    this.#computations = computations;
    this.#id = id;
    this.#first = first;
    this.#stepMs = stepMs;
  }

  /** Adds a value to its output at its time, ms; NaN for a counter that has no rate yet. Of two gauges of one series the later counts. */
  set({ output, contribution, mode }: Omit<Destination, 'raw'>, time: number, value: number): void {
    if (contribution !== NONE) this.#combine(output, contribution, mode, time, value);
    if (contribution !== NONE || Number.isNaN(value)) return;
    const outputs = this.#outputs;
    const isSecond = outputs.groupOf(output) === this.#id && outputs.rankOf(output) === SENT;
    const sum = isSecond && mode === 'delta' ? outputs.valueOf(output) + value : value;
    this.#give(output, time, sum, SENT);
  }

  /**
   * Adds a value to one of those that make up its output, at its time, ms; NaN for a counter that has no rate yet, so that the output
   * waits for it. What was added is summed up.
   */
  #combine(output: number, contribution: number, mode: Mode, time: number, value: number): void {
    const outputs = this.#outputs;
    const { contributions } = outputs;
    const lastTime = contributions.timeOf(contribution);
    const last = contributions.valueOf(contribution);
    if (time <= lastTime && Number.isNaN(value)) return;
    if (time < lastTime) this.#later.push({ contribution, time: lastTime, value: last });
    const isSecond = mode === 'delta' && lastTime === time && outputs.groupOf(output) === this.#id;
    if (time > lastTime && lastTime > 0) contributions.setInterval(contribution, time - lastTime);
    contributions.set(contribution, time, isSecond ? last + value : value);
    if (outputs.groupOf(output) === this.#id) return;
    outputs.setGroup(output, this.#id);
    this.#combined.push(output);
  }

  /** Adds a value that no agent sent. */
  add(output: number, value: number): void {
    this.#give(output, this.#first, value, SENT);
  }

  /** Computes what is made of the values. */
  compute(): void {
    for (const output of this.#combined) {
      this.#outputs.setGroup(output, 0);
      const value = this.#outputs.combined(output, this.#first, this.#stepMs);
      if (!Number.isNaN(value)) this.#give(output, this.#first, value, SENT);
    }
    const computations = this.#computations;
    // Each one that is computed may add further ones.
    for (let at = 0; at < this.#computed.length; at += 1) {
      const computation = this.#computed[at] as number;
      const value = computations.compute(computation, this.#first, this.#stepMs);
      if (value !== undefined)
        this.#give(computations.outputOf(computation), this.#first, value, computations.rankOf(computation));
    }
    for (const { contribution, time, value } of this.#later)
      this.#outputs.contributions.set(contribution, time, value);
  }

  /** Whether no output has a value. */
  get isEmpty(): boolean {
    return this.#given.length === 0;
  }

  /** All outputs that have a value, in their order. */
  ordered(): readonly number[] {
    return this.#outputs.ordered(this.#given);
  }

  #give(output: number, time: number, value: number, rank: number): void {
    const outputs = this.#outputs;
    outputs.set(output, time, value, rank);
    if (outputs.groupOf(output) === this.#id) return;
    outputs.setGroup(output, this.#id);
    if (!outputs.isHidden(output)) this.#given.push(output);
    if (outputs.linkOf(output) !== NONE) this.#computations.collect(output, this.#id, this.#computed);
  }
}
