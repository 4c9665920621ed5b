import { FreeNumbers } from '../../series/free-numbers.ts';
import { grown, nextSize } from '../../series/series-numbers.ts';
import { NO_GROUP, NONE } from '../outputs/none.ts';
import { INPUT_GONE_MS, type Outputs } from '../outputs/outputs.ts';
import { COMPUTED_ROWS, type ComputedRow } from './computed-rows.ts';
import { InputLinks } from './input-links.ts';
import type { PartTotal } from './part-totals.ts';

/**
 * The columns of a computation: its row of `COMPUTED_ROWS`; its output; its first link to an input; and the next computation of its
 * host or part.
 */
const WIDTH = 4;
const ROW = 0;
const OUTPUT = 1;
const LINK = 2;
const NEXT = 3;
const FIRST_SIZE = 64;

/** The roles of parts in a total: a partition is none of the disks that add up. */
const LEFT_OUT = 0;
const COUNTED = 1;

/** Metrics of hosts or parts that are computed from outputs by rows of tables, of all organizations, as rows by their numbers. */
export class Computations {
  readonly #outputs: Outputs;
  readonly #links = new InputLinks();
  readonly #numbers = new FreeNumbers();
  #rows = new Int32Array(FIRST_SIZE * WIDTH);
  /** The group of points in which each is to be computed. */
  #groups = new Uint16Array(FIRST_SIZE);

  constructor(outputs: Outputs) {
    this.#outputs = outputs;
  }

  /** A computation without inputs; `row` is its position in `COMPUTED_ROWS`, `next` another computation of its host or part. */
  create(row: number, output: number, next: number): number {
    const computation = this.#numbers.take();
    if ((computation + 1) * WIDTH > this.#rows.length) {
      const size = nextSize(computation);
      this.#rows = grown(this.#rows, size * WIDTH);
      this.#groups = grown(this.#groups, size);
    }
    this.#rows.set([row, output, NONE, next], computation * WIDTH);
    this.#groups[computation] = NO_GROUP;
    this.#outputs.setComputed(output);
    return computation;
  }

  /** Releases a computation and those that follow it, whose inputs are all unlinked. */
  releaseAll(first: number): void {
    for (let each = first; each !== NONE; ) {
      const next = this.#rows[each * WIDTH + NEXT] as number;
      this.#numbers.release(each);
      each = next;
    }
  }

  /** The computation by a row among those that follow `first`; -1 if there is none. */
  find(first: number, row: number): number {
    let each = first;
    while (each !== NONE && this.#rows[each * WIDTH + ROW] !== row)
      each = this.#rows[each * WIDTH + NEXT] as number;
    return each;
  }

  outputOf(computation: number): number {
    return this.#rows[computation * WIDTH + OUTPUT] as number;
  }

  rankOf(computation: number): number {
    return this.#rowOf(computation).rank;
  }

  /** Adds an output as the last input, in a role of the row. */
  link(computation: number, role: number, input: number): void {
    const links = this.#links;
    const link = links.create(computation, role, input);
    const at = computation * WIDTH + LINK;
    const first = this.#rows[at] as number;
    if (first === NONE) this.#rows[at] = link;
    else links.appendInput(first, link);
    const feed = this.#outputs.linkOf(input);
    if (feed === NONE) this.#outputs.setLink(input, link);
    else links.appendFeed(feed, link);
    this.#choose(computation);
  }

  /** Ends that anything is computed from an output, which is gone for good. */
  unlink(output: number): void {
    const links = this.#links;
    for (let link = this.#outputs.linkOf(output); link !== NONE; ) {
      const next = links.nextFeedOf(link);
      const computation = links.computationOf(link);
      const at = computation * WIDTH + LINK;
      this.#rows[at] = links.removeInput(this.#rows[at] as number, link);
      links.release(link);
      this.#choose(computation);
      link = next;
    }
    this.#outputs.setLink(output, NONE);
  }

  /** Appends to `pending` what is computed from an output and is not pending in this group of points yet. */
  collect(output: number, group: number, pending: number[]): void {
    const links = this.#links;
    for (let link = this.#outputs.linkOf(output); link !== NONE; link = links.nextFeedOf(link)) {
      const computation = links.computationOf(link);
      if (this.#groups[computation] === group) continue;
      this.#groups[computation] = group;
      pending.push(computation);
    }
  }

  /** Forgets the groups of all, before their numbers are given again. */
  forgetGroups(): void {
    this.#groups.fill(NO_GROUP);
  }

  /**
   * Its value at `time` (ms); undefined while something is missing, and where a better row, or the agent itself, gave the metric lately.
   * What lies within `stepMs` belongs to the time.
   */
  compute(computation: number, time: number, stepMs: number): number | undefined {
    const row = this.#rowOf(computation);
    const output = this.outputOf(computation);
    const isBetterGiven = this.#outputs.rankOf(output) < row.rank;
    if (isBetterGiven && Math.abs(time - this.#outputs.timeOf(output)) <= INPUT_GONE_MS) return undefined;
    const first = this.#rows[computation * WIDTH + LINK] as number;
    return row.kind === 'total'
      ? this.#total(row.total, first, time, stepMs)
      : this.#derived(row, first, time, stepMs);
  }

  /** Of the inputs of each role those that have a value at this time are summed up. */
  #derived(
    { row, roles }: ComputedRow & { kind: 'derived' },
    first: number,
    time: number,
    stepMs: number,
  ): number | undefined {
    const values: Record<string, number> = {};
    let present = 0;
    for (let link = first; link !== NONE; link = this.#links.nextInputOf(link)) {
      const input = this.#links.inputOf(link);
      const presence = this.#outputs.presenceOf(input, time, stepMs);
      if (presence === 'expected') return undefined;
      if (presence === 'gone') continue;
      const role = roles[this.#links.roleOf(link)] as string;
      const sum = values[role];
      if (sum === undefined) present += 1;
      values[role] = (sum ?? 0) + this.#outputs.valueOf(input);
    }
    if (present < roles.length) return undefined;
    const value = row.formula(values, time);
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }

  #total({ how }: PartTotal, first: number, time: number, stepMs: number): number | undefined {
    let total: number | undefined;
    for (let link = first; link !== NONE; link = this.#links.nextInputOf(link)) {
      if (this.#links.roleOf(link) === LEFT_OUT) continue;
      const input = this.#links.inputOf(link);
      const presence = this.#outputs.presenceOf(input, time, stepMs);
      if (presence === 'expected') return undefined;
      if (presence === 'gone') continue;
      const value = this.#outputs.valueOf(input);
      if (total === undefined) total = value;
      else total = how === 'sum' ? total + value : Math.max(total, value);
    }
    return total;
  }

  /** Which parts count for a total depends on all that are there. */
  #choose(computation: number): void {
    const row = this.#rowOf(computation);
    if (row.kind !== 'total') return;
    const links = this.#links;
    const all: number[] = [];
    const first = this.#rows[computation * WIDTH + LINK] as number;
    for (let link = first; link !== NONE; link = links.nextInputOf(link)) all.push(link);
    const { parts } = this.#outputs;
    const partOf = (link: number) => parts.of(this.#outputs.partOf(links.inputOf(link)));
    const names = new Set(all.map((link) => partOf(link).name));
    for (const link of all) links.setRole(link, row.total.counts(partOf(link), names) ? COUNTED : LEFT_OUT);
  }

  #rowOf(computation: number): ComputedRow {
    return COMPUTED_ROWS[this.#rows[computation * WIDTH + ROW] as number] as ComputedRow;
  }
}
