import type { DerivedMetric } from './families/family.ts';
import { type Computed, INPUT_GONE_MS, type Output, presenceOf } from './output.ts';

/** One metric of ours of one host or part, by a row of a family's table. */
export class Derivation implements Computed {
  readonly rank: number;
  readonly output: Output;
  group = 0;
  readonly #row: DerivedMetric;
  readonly #roles: string[];
  readonly #inputs: Output[][];

  constructor(row: DerivedMetric, rank: number, output: Output) {
    this.#row = row;
    this.rank = rank;
    this.output = output;
    this.#roles = Object.keys(row.inputs);
    this.#inputs = this.#roles.map(() => []);
  }

  /** Adds an output as an input of a role, and this to its feeds. */
  link(role: string, input: Output): void {
    const at = this.#roles.indexOf(role);
    this.#inputs[at] = (this.#inputs[at] as Output[]).concat(input);
    input.feed(this);
  }

  unlink(input: Output): void {
    for (const inputs of this.#inputs) {
      const at = inputs.indexOf(input);
      if (at >= 0) inputs.splice(at, 1);
    }
  }

  /** Undefined also where a better row, or the agent itself, gave the metric lately. */
  compute(time: number, stepMs: number): number | undefined {
    const { output } = this;
    if (output.rank < this.rank && Math.abs(time - output.time) <= INPUT_GONE_MS) return undefined;
    const values: Record<string, number> = {};
    for (const [index, inputs] of this.#inputs.entries()) {
      const sum = sumAt(inputs, time, stepMs);
      if (sum === undefined) return undefined;
      values[this.#roles[index] as string] = sum;
    }
    const value = this.#row.formula(values, time);
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }
}

/** The sum of the inputs that have a value at this time; undefined if there is none, or one is still expected. */
function sumAt(inputs: readonly Output[], time: number, stepMs: number): number | undefined {
  let sum: number | undefined;
  for (const input of inputs) {
    const presence = presenceOf(input, time, stepMs);
    if (presence === 'expected') return undefined;
    if (presence === 'present') sum = (sum ?? 0) + input.value;
  }
  return sum;
}
