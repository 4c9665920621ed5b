import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Omission } from '../series/point-sink.ts';
import type { AgentProtocolName } from '../series/sent-series.ts';
import { AgentReport } from './agent-report.ts';
import { Derivation } from './derivation.ts';
import { rolesOf, totalsOf } from './derived-rows.ts';
import type { DerivedMetric } from './families/family.ts';
import type { Omitted } from './fate.ts';
import { HostTags } from './host-tags.ts';
import { Layouts } from './layouts.ts';
import { type HostPart, Output } from './output.ts';
import { TotalOfParts } from './part-totals.ts';
import type { SharedPieces } from './shared-pieces.ts';
import type { SubjectFamily } from './subjects/subject-family.ts';
import { SubjectList } from './subjects/subject-list.ts';

/** The max number of metrics of a host that are not of its parts. */
const MAX_HOST_METRICS = 2_000;
/** More than any part has metrics, so that those of a part lie beside each other. */
const PART_STRIDE = 1_024;
/** More than a host has metrics in its life, so that those of its parts follow; with it, positions are small integers. */
const FIRST_OF_PARTS = 2 ** 28;

interface KnownPart extends HostPart {
  index: number;
  metrics: number;
  /** Its metrics that are known. */
  outputs: Output[];
  /** How many series are of it. */
  users: number;
}

/** What is known of a host from the series that agents send of it. */
export class TranslatedHost {
  /** The number by which it is known. */
  readonly number: number;
  readonly name: string;
  readonly tags = new HostTags();
  readonly layouts: Layouts;
  /** Its containers and processes, by the family of the agent that lists them. */
  readonly #lists = new Map<SubjectFamily, SubjectList>();
  /** The request whose points are being collected, and the positions of those of this host. */
  request = 0;
  points: number[] = [];
  readonly #omitted = new Map<Omission, Omitted>();
  readonly #reports = new Map<AgentProtocolName, AgentReport>();
  /** The metrics that are not of its parts, by name. */
  readonly #outputs = new Map<string, Output>();
  readonly #parts = new Map<string, KnownPart>();
  readonly #derivations = new Map<DerivedMetric, Map<HostPart | null, Derivation>>();
  readonly #totals = new Map<string, TotalOfParts>();
  readonly #onEmpty: () => void;
  /** How often something was created, for its place in the order. */
  #created = 0;
  #hostMetrics = 0;
  #partMetrics = 0;
  #series = 0;

  /** `onEmpty` is called once the last of its series is forgotten. */
  constructor(number: number, name: string, pieces: SharedPieces, onEmpty: () => void) {
    this.number = number;
    this.layouts = new Layouts(pieces);
    this.name = name;
    this.#onEmpty = onEmpty;
  }

  /** Counts a series: one that is stored as `output`, or one that is left out for `reason`. */
  add(protocol: AgentProtocolName, reason: Omission | null, output: Output | null): void {
    this.#series += 1;
    this.report(protocol).add(reason);
    if (output !== null) this.hold(output);
  }

  /** Counts that one more series gives an output its values. */
  hold(output: Output): void {
    output.users += 1;
    const part = output.part as KnownPart | null;
    if (part !== null) part.users += 1;
  }

  /** Counts that a series is forgotten, and releases its metric once no series is left, or its part. */
  remove(protocol: AgentProtocolName, reason: Omission | null, output: Output | null): void {
    this.#series -= 1;
    this.report(protocol).remove(reason);
    if (output !== null) this.leave(output);
    if (this.#series === 0) this.#onEmpty();
  }

  /** Counts that one series less gives it; without any it is released, or its part. */
  leave(output: Output): void {
    output.users -= 1;
    const part = output.part as KnownPart | null;
    if (part !== null) {
      part.users -= 1;
      if (part.users === 0) this.#releasePart(part);
    } else if (output.users === 0) this.#release(output);
  }

  #releasePart(part: KnownPart): void {
    this.#parts.delete(partSubject(part.kind, part.name));
    for (const output of [...part.outputs]) this.#release(output);
    for (const ofRow of this.#derivations.values()) ofRow.delete(part);
  }

  #release(output: Output): void {
    const { part, metric } = output;
    for (const computed of output.feeds) computed.unlink(output);
    if (part === null) {
      this.#outputs.delete(metric);
      this.#hostMetrics -= 1;
    } else {
      const { outputs } = part as KnownPart;
      outputs.splice(outputs.indexOf(output), 1);
      this.#partMetrics -= 1;
    }
  }

  /** The list of its containers or processes by a family of agents. */
  list(family: SubjectFamily): SubjectList {
    const known = this.#lists.get(family) ?? new SubjectList(family);
    this.#lists.set(family, known);
    return known;
  }

  /** That a series of it is left out. */
  omitted(reason: Omission): Omitted {
    const known = this.#omitted.get(reason) ?? { kind: 'omitted', reason, host: this.number };
    this.#omitted.set(reason, known);
    return known;
  }

  /** What it sends by a protocol. */
  report(protocol: AgentProtocolName): AgentReport {
    const known = this.#reports.get(protocol) ?? new AgentReport(protocol);
    this.#reports.set(protocol, known);
    return known;
  }

  /** The outputs that say what its agents send, with their values, where it is time to. `now` in ms. */
  *reported(now: number): Generator<{ output: Output; value: number }> {
    for (const report of this.#reports.values()) {
      const due = report.due(now);
      if (due === undefined) continue;
      for (const [metric, value] of Object.entries(due.metrics)) {
        const output = this.output(due.part, metric);
        if (output !== undefined) yield { output, value };
      }
    }
  }

  /**
   * The output of a metric of the host, or of one of its parts by its kind and name; `labels` are those of a part that is not known
   * yet. Undefined for a new one that would be one too many. It stays hidden as long as it is only asked for as hidden.
   */
  output(of: HostPart | null, metric: string, isHidden = false): Output | undefined {
    const known =
      of === null
        ? this.#outputs.get(metric)
        : this.#parts.get(partSubject(of.kind, of.name))?.outputs.find((each) => each.metric === metric);
    const output = known ?? this.#create(of, metric);
    if (output !== undefined) output.isHidden = isHidden && (known === undefined || known.isHidden);
    return output;
  }

  #create(of: HostPart | null, metric: string): Output | undefined {
    const part = of === null ? null : this.#part(of);
    if (part === undefined || (part === null && this.#hostMetrics >= MAX_HOST_METRICS)) return undefined;
    this.#created += 1;
    if (part === null) this.#hostMetrics += 1;
    else this.#partMetrics += 1;
    const order = part === null ? this.#created : FIRST_OF_PARTS + part.index * PART_STRIDE + part.metrics++;
    const output = new Output(this.number, order, part, metric);
    if (part === null) this.#outputs.set(metric, output);
    else part.outputs.push(output);
    this.#link(part, output);
    return output;
  }

  /** The part for one more metric; undefined if that would be one too many. */
  #part(of: HostPart): KnownPart | undefined {
    const subject = partSubject(of.kind, of.name);
    const known = this.#parts.get(subject);
    if (this.#partMetrics >= PART_BOUNDS.series || known?.metrics === PART_BOUNDS.metrics) return undefined;
    if (known !== undefined) return known;
    if (this.#parts.size === PART_BOUNDS.parts) return undefined;
    const part = { ...of, index: this.#created, metrics: 0, outputs: [], users: 0 };
    this.#parts.set(subject, part);
    return part;
  }

  /** Links a new output to what is computed from it. */
  #link(part: KnownPart | null, output: Output): void {
    for (const { row, rank, role } of rolesOf(part, output.metric))
      this.#derivation(row, rank, part)?.link(role, output);
    if (part === null) return;
    for (const total of totalsOf(part, output.metric)) {
      let known = this.#totals.get(total.metric);
      if (known === undefined) {
        const sum = this.output(null, total.metric);
        if (sum === undefined) continue;
        known = new TotalOfParts(total, sum);
        this.#totals.set(total.metric, known);
      }
      known.link(part, output);
    }
  }

  #derivation(row: DerivedMetric, rank: number, part: KnownPart | null): Derivation | undefined {
    const ofRow = this.#derivations.get(row) ?? new Map<HostPart | null, Derivation>();
    this.#derivations.set(row, ofRow);
    const known = ofRow.get(part);
    if (known !== undefined) return known;
    const output = this.output(part, row.metric);
    if (output === undefined) return undefined;
    const derivation = new Derivation(row, rank, output);
    ofRow.set(part, derivation);
    return derivation;
  }
}
