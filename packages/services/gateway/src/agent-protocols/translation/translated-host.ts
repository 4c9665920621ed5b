import type { Omission } from '../series/point-sink.ts';
import type { AgentProtocolName } from '../series/sent-series.ts';
import { AgentReport } from './agent-report.ts';
import type { Computations } from './computed/computations.ts';
import { HostTags } from './host-tags.ts';
import { Layouts } from './layouts.ts';
import { HostOutputs } from './outputs/host-outputs.ts';
import type { Outputs } from './outputs/outputs.ts';
import type { SharedPieces } from './shared-pieces.ts';
import type { SubjectFamily } from './subjects/subject-family.ts';
import { SubjectList } from './subjects/subject-list.ts';

/** What hosts have in common. */
export interface HostStores {
  outputs: Outputs;
  computations: Computations;
  pieces: SharedPieces;
  /** Ends that a host is known by its number. */
  release(host: TranslatedHost): void;
}

/** What is known of a host from the series that agents send of it. */
export class TranslatedHost {
  /** The number by which it is known. */
  readonly number: number;
  readonly name: string;
  readonly tags = new HostTags();
  readonly layouts: Layouts;
  readonly outputs: HostOutputs;
  /** Its containers and processes, by the family of the agent that lists them. */
  #lists: Map<SubjectFamily, SubjectList> | null = null;
  /** The request whose points are being collected, and the positions of those of this host. */
  request = 0;
  points: number[] = [];
  #reports: readonly AgentReport[] = [];
  readonly #stores: HostStores;
  readonly #onEmpty: (host: TranslatedHost) => void;
  #series = 0;

  /** `onEmpty` is called with it once the last of its series is forgotten. */
  constructor(number: number, name: string, stores: HostStores, onEmpty: (host: TranslatedHost) => void) {
    this.number = number;
    this.layouts = new Layouts(stores.outputs, stores.pieces);
    this.outputs = new HostOutputs(number, stores.outputs, stores.computations);
    this.name = name;
    this.#stores = stores;
    this.#onEmpty = onEmpty;
  }

  /** Counts a series: one that is stored as `output`, or one that is left out for `reason`. */
  add(protocol: AgentProtocolName, reason: Omission | null, output: number | null): void {
    this.#series += 1;
    this.report(protocol).add(reason);
    if (output !== null) this.outputs.hold(output);
  }

  /** Counts that a series is forgotten, and releases its metric once no series is left, or its part. */
  remove(protocol: AgentProtocolName, reason: Omission | null, output: number | null): void {
    this.#series -= 1;
    this.report(protocol).remove(reason);
    if (output !== null) this.outputs.leave(output);
    if (this.#series > 0) return;
    this.outputs.clear();
    this.#stores.release(this);
    this.#onEmpty(this);
  }

  /** The list of its containers or processes by a family of agents. */
  list(family: SubjectFamily): SubjectList {
    this.#lists ??= new Map();
    const known = this.#lists.get(family) ?? new SubjectList(family);
    this.#lists.set(family, known);
    return known;
  }

  /** What it sends by a protocol. */
  report(protocol: AgentProtocolName): AgentReport {
    let known = this.#reports.find((each) => each.protocol === protocol);
    if (known === undefined) {
      known = new AgentReport(protocol);
      // Not pushed, which would leave room for further ones, at each host.
      this.#reports = this.#reports.concat(known);
    }
    return known;
  }

  /** The outputs that say what its agents send, with their values, where it is time to. `now` in ms. */
  *reported(now: number): Generator<{ output: number; value: number }> {
    for (const report of this.#reports) {
      const due = report.due(now);
      if (due === undefined) continue;
      for (const [metric, value] of Object.entries(due.metrics)) {
        const output = this.outputs.of(due.part, metric);
        if (output !== undefined) yield { output, value };
      }
    }
  }
}
