import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import type { Computations } from '../computed/computations.ts';
import { COMPUTED_ROWS, type ComputedRow, rolesOf, totalsOf } from '../computed/computed-rows.ts';
import type { HostPart } from './host-part.ts';
import { NONE } from './none.ts';
import type { Outputs } from './outputs.ts';

/** The max number of metrics of a host that are not of its parts. */
const MAX_HOST_METRICS = 2_000;

/** The metrics of one host and of its parts: creates and releases its outputs, and links them to what is computed from them. */
export class HostOutputs {
  /** The number of the host. */
  readonly #host: number;
  readonly #outputs: Outputs;
  readonly #computations: Computations;
  /** The last output that is not of a part, the last part, and the last computation that is not of a part: the others follow. */
  #output = NONE;
  #part = NONE;
  #computation = NONE;
  /** How often something was created, for its place in the order. */
  #created = 0;
  #hostMetrics = 0;
  #partMetrics = 0;

  constructor(host: number, outputs: Outputs, computations: Computations) {
    this.#host = host;
    this.#outputs = outputs;
    this.#computations = computations;
  }

  /**
   * The output of a metric of the host, or of one of its parts by its kind and name; `labels` are those of a part that is not known
   * yet. Undefined for a new one that would be one too many. It stays hidden as long as it is only asked for as hidden.
   */
  of(part: HostPart | null, metric: string, isHidden = false): number | undefined {
    const known = this.#find(part === null ? NONE : this.#findPart(part), part, metric);
    const output = known === NONE ? this.#create(part, metric) : known;
    if (output === undefined) return undefined;
    const isStillHidden = known === NONE || this.#outputs.isHidden(known);
    this.#outputs.setHidden(output, isHidden && isStillHidden);
    return output;
  }

  /** Counts that one more series gives an output its values. */
  hold(output: number): void {
    this.#outputs.addUsers(output, 1);
    const part = this.#outputs.partOf(output);
    if (part !== NONE) this.#outputs.parts.addUsers(part, 1);
  }

  /** Counts that one series less gives it; without any it is released, or its part, unless it is computed. */
  leave(output: number): void {
    const users = this.#outputs.addUsers(output, -1);
    const part = this.#outputs.partOf(output);
    if (part !== NONE) {
      if (this.#outputs.parts.addUsers(part, -1) === 0) this.#releasePart(part);
    } else if (users === 0 && !this.#outputs.isComputed(output)) {
      this.#removeOfHost(output);
      this.#release(output);
    }
  }

  /** Releases all. */
  clear(): void {
    while (this.#part !== NONE) this.#releasePart(this.#part);
    while (this.#output !== NONE) {
      const output = this.#output;
      this.#output = this.#outputs.nextOf(output);
      this.#release(output);
    }
    this.#computations.releaseAll(this.#computation);
    this.#computation = NONE;
  }

  #find(part: number, of: HostPart | null, metric: string): number {
    const text = this.#outputs.texts.find(metric);
    if (text === NONE || (of !== null && part === NONE)) return NONE;
    return this.#outputs.find(of === null ? this.#output : this.#outputs.parts.outputOf(part), text);
  }

  #findPart({ kind, name }: HostPart): number {
    const { parts } = this.#outputs;
    for (let part = this.#part; part !== NONE; part = parts.nextOf(part)) {
      const known = parts.of(part);
      if (known.name === name && known.kind === kind) return part;
    }
    return NONE;
  }

  #create(of: HostPart | null, metric: string): number | undefined {
    const { parts } = this.#outputs;
    const part = of === null ? NONE : this.#partOf(of);
    if (part === undefined || (part === NONE && this.#hostMetrics >= MAX_HOST_METRICS)) return undefined;
    this.#created += 1;
    let output: number;
    if (part === NONE) {
      this.#hostMetrics += 1;
      output = this.#outputs.create(~this.#host, metric, this.#created, this.#output);
      this.#output = output;
    } else {
      this.#partMetrics += 1;
      output = this.#outputs.create(part, metric, parts.metricsOf(part), parts.outputOf(part));
      parts.countMetric(part);
      parts.setOutput(part, output);
    }
    this.#link(part, output, metric);
    return output;
  }

  /** The part for one more metric; undefined if that would be one too many. */
  #partOf(of: HostPart): number | undefined {
    const { parts } = this.#outputs;
    const known = this.#findPart(of);
    const isFull = known !== NONE && parts.metricsOf(known) === PART_BOUNDS.metrics;
    if (this.#partMetrics >= PART_BOUNDS.series || isFull) return undefined;
    if (known !== NONE) return known;
    let count = 0;
    for (let part = this.#part; part !== NONE; part = parts.nextOf(part)) count += 1;
    if (count === PART_BOUNDS.parts) return undefined;
    this.#part = parts.create(this.#host, of, this.#created, this.#part);
    return this.#part;
  }

  /** Links a new output to what is computed from it. */
  #link(part: number, output: number, metric: string): void {
    const { parts } = this.#outputs;
    const of = part === NONE ? null : parts.of(part);
    for (const { row, role } of rolesOf(of, metric)) {
      const computation = this.#computationOf(row, part);
      if (computation !== undefined) this.#computations.link(computation, role, output);
    }
    if (of === null) return;
    for (const row of totalsOf(of, metric)) {
      const computation = this.#computationOf(row, NONE);
      if (computation !== undefined) this.#computations.link(computation, 0, output);
    }
  }

  /** The computation of the host, or of one of its parts, by a row; undefined if its output would be one too many. */
  #computationOf(row: number, part: number): number | undefined {
    const { parts } = this.#outputs;
    const first = () => (part === NONE ? this.#computation : parts.computationOf(part));
    const known = this.#computations.find(first(), row);
    if (known !== NONE) return known;
    const { metric } = COMPUTED_ROWS[row] as ComputedRow;
    const output = this.of(part === NONE ? null : parts.of(part), metric);
    if (output === undefined) return undefined;
    // The output may have brought further computations.
    const computation = this.#computations.create(row, output, first());
    if (part === NONE) this.#computation = computation;
    else parts.setComputation(part, computation);
    return computation;
  }

  #releasePart(part: number): void {
    const { parts } = this.#outputs;
    this.#removePart(part);
    for (let output = parts.outputOf(part); output !== NONE; ) {
      const next = this.#outputs.nextOf(output);
      this.#release(output);
      output = next;
    }
    this.#computations.releaseAll(parts.computationOf(part));
    parts.release(part);
  }

  /** Releases an output that no list has any more, or will. */
  #release(output: number): void {
    this.#computations.unlink(output);
    if (this.#outputs.partOf(output) === NONE) this.#hostMetrics -= 1;
    else this.#partMetrics -= 1;
    this.#outputs.release(output);
  }

  #removePart(part: number): void {
    const { parts } = this.#outputs;
    if (this.#part === part) this.#part = parts.nextOf(part);
    else {
      let before = this.#part;
      while (parts.nextOf(before) !== part) before = parts.nextOf(before);
      parts.setNext(before, parts.nextOf(part));
    }
  }

  #removeOfHost(output: number): void {
    const outputs = this.#outputs;
    if (this.#output === output) this.#output = outputs.nextOf(output);
    else {
      let before = this.#output;
      while (outputs.nextOf(before) !== output) before = outputs.nextOf(before);
      outputs.setNext(before, outputs.nextOf(output));
    }
  }
}
