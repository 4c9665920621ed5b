import type { Destination } from './known-series.ts';
import type { Mode } from './metric-place.ts';
import type { Computed, Contribution, Output } from './output.ts';
import type { SubjectList } from './subjects/subject-list.ts';

/** The points of one host at one time: gives outputs their values, and computes what is made of them. */
export class SampleGroup {
  readonly #id: number;
  readonly #first: number;
  readonly #stepMs: number;
  readonly #outputs: Output[] = [];
  readonly #combined: Output[] = [];
  readonly #computed: Computed[] = [];
  /** The lists of containers and processes of which it has a value. */
  readonly lists = new Set<SubjectList>();
  /** Contributions that are older than their last ones, which come back once everything is computed. */
  readonly #later: { contribution: Contribution; time: number; value: number }[] = [];

  /** `first` is the time of its first point, ms; `id` is that of no other group. */
  constructor(id: number, first: number, stepMs: number) {
    this.#id = id;
    this.#first = first;
    this.#stepMs = stepMs;
  }

  /** Adds a value to its output at its time, ms; NaN for a counter that has no rate yet. Of two gauges of one series the later counts. */
  set({ output, contribution, mode }: Omit<Destination, 'raw'>, time: number, value: number): void {
    if (contribution !== null) this.#combine(contribution, mode, time, value);
    if (contribution !== null || Number.isNaN(value)) return;
    const isSecond = output.group === this.#id && output.rank === -1;
    this.#give(output, time, isSecond && mode === 'delta' ? output.value + value : value, -1);
  }

  /**
   * Adds a value to one of those that make up its output, at its time, ms; NaN for a counter that has no rate yet, so that the output
   * waits for it. What was added is summed up.
   */
  #combine(contribution: Contribution, mode: Mode, time: number, value: number): void {
    const { output } = contribution;
    if (time <= contribution.time && Number.isNaN(value)) return;
    if (time < contribution.time)
      this.#later.push({ contribution, time: contribution.time, value: contribution.value });
    const isSecond = mode === 'delta' && contribution.time === time && output.group === this.#id;
    if (time > contribution.time && contribution.time > 0) contribution.interval = time - contribution.time;
    contribution.value = isSecond ? contribution.value + value : value;
    contribution.time = time;
    if (output.group === this.#id) return;
    output.group = this.#id;
    this.#combined.push(output);
  }

  /** Adds a value that no agent sent. */
  add(output: Output, value: number): void {
    this.#give(output, this.#first, value, -1);
  }

  /** Computes what is made of the values. */
  compute(): void {
    for (const output of this.#combined) {
      output.group = 0;
      const value = output.combined(this.#first, this.#stepMs);
      if (!Number.isNaN(value)) this.#give(output, this.#first, value, -1);
    }
    // Each one that is computed may add further ones.
    for (let at = 0; at < this.#computed.length; at += 1) {
      const computed = this.#computed[at] as Computed;
      const value = computed.compute(this.#first, this.#stepMs);
      if (value !== undefined) this.#give(computed.output, this.#first, value, computed.rank);
    }
    for (const { contribution, time, value } of this.#later) Object.assign(contribution, { time, value });
  }

  /** Whether no output has a value. */
  get isEmpty(): boolean {
    return this.#outputs.length === 0;
  }

  /** All outputs that have a value, in their order. */
  ordered(): readonly Output[] {
    const outputs = this.#outputs;
    for (let at = 1; at < outputs.length; at += 1)
      if ((outputs[at] as Output).order < (outputs[at - 1] as Output).order)
        return outputs.sort((a, b) => a.order - b.order);
    return outputs;
  }

  #give(output: Output, time: number, value: number, rank: number): void {
    output.value = value;
    output.time = time;
    output.rank = rank;
    if (output.group === this.#id) return;
    output.group = this.#id;
    if (!output.isHidden) this.#outputs.push(output);
    for (const computed of output.feeds) {
      if (computed.group === this.#id) continue;
      computed.group = this.#id;
      this.#computed.push(computed);
    }
  }
}
