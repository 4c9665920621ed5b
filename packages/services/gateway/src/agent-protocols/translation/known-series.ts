import type { CounterStates } from '../series/counter-states.ts';
import type { AgentProtocolName, SentSeries } from '../series/sent-series.ts';
import { grown, SeriesNumbers } from '../series/series-numbers.ts';
import { type Fate, type Omitted, type Rejected, STORED } from './fate.ts';
import type { HistogramState } from './histograms/histogram-state.ts';
import { KnownHosts } from './known-hosts.ts';
import type { Mode } from './metric-place.ts';
import type { Contribution, Output } from './output.ts';
import type { SubjectList } from './subjects/subject-list.ts';
import type { SubjectPlace } from './subjects/subject-place.ts';

/** What is kept of a histogram: whether its points count since the last one, its state, and the gauges of its figures. */
export interface HistogramSeries {
  isDelta: boolean;
  state: HistogramState;
  figures: readonly number[];
}

/** Where the values of a series go: to a metric, or to one of several values that make up a metric. */
export interface Destination {
  output: Output;
  contribution: Contribution | null;
  mode: Mode;
  /** For a counter that is stored as it is sent: where that goes. */
  raw: Destination | null;
}

/** A series of a container or process: the list of its host that has it, and where its values go there. */
export interface SubjectSeries {
  /** The number of its host. */
  host: number;
  list: SubjectList;
  place: SubjectPlace;
}

/** What a series is known by, in each of its states; see `State`. */
type Target = SentSeries | Output | Contribution | HistogramSeries | SubjectSeries | Omitted | Rejected;

/** `described` is one of which it is not known yet where its points go; the others have what their names say as their target. */
const STATES = [
  'described',
  'output',
  'contribution',
  'histogram',
  'subject',
  'omitted',
  'rejected',
] as const;
type State = (typeof STATES)[number];
const MODES: readonly Mode[] = ['gauge', 'counter', 'delta'];
const PROTOCOLS: readonly AgentProtocolName[] = ['remote_write', 'otlp', 'influx', 'collectd', 'datadog'];
const NO_COUNTER = -1;

/**
 * The series that were sent before, of all organizations, by their numbers: where the points of each go. Kept as lists by number,
 * since there are very many. A series is described first (`create`), then what becomes of it is settled, and it is forgotten (`release`).
 */
export class KnownSeries {
  readonly numbers = new SeriesNumbers();
  readonly hosts = new KnownHosts();
  readonly #counters: CounterStates;
  /** The positions in `STATES`, `MODES` and `PROTOCOLS`, in 3, 2 and 3 bits. */
  #kinds = new Uint8Array(this.numbers.length);
  #counterOf = new Int32Array(this.numbers.length);
  readonly #targets: (Target | null)[] = [];
  /** Of counters that are stored as they are sent, too. */
  readonly #raws = new Map<number, Destination>();
  /** How many requests need the description of a series. */
  readonly #holders = new Map<number, number>();

  constructor(counters: CounterStates) {
    this.#counters = counters;
  }

  /**
   * A series by the hash of its bytes, as it is described. Where it was known as `before` until its type was, its counter begins with the
   * values of that.
   */
  create(high: number, low: number, sent: SentSeries, before?: number): number {
    const series = this.numbers.take(high, low);
    this.#grow();
    this.#set(series, 'described', 'gauge', sent.protocol, sent);
    const counter = before === undefined ? NO_COUNTER : this.counterOf(before);
    if (counter !== NO_COUNTER) this.#counterOf[series] = this.#counters.create(counter);
    return series;
  }

  /** Describes a series again whose description was dropped. */
  describe(series: number, sent: SentSeries): void {
    this.#targets[series] = sent;
  }

  /** Whether it is not settled and has to be described again. */
  isForgotten(series: number): boolean {
    return this.#stateOf(series) === 'described' && this.#targets[series] === null;
  }

  /** Keeps the description of a series that is not settled until `leave`. */
  hold(series: number): void {
    this.#holders.set(series, (this.#holders.get(series) ?? 0) + 1);
  }

  /** Drops the description once no request needs it: that of a series which is never settled would be kept for as long as it is sent. */
  leave(series: number): void {
    const others = (this.#holders.get(series) ?? 1) - 1;
    if (others > 0) this.#holders.set(series, others);
    else {
      this.#holders.delete(series);
      if (this.#stateOf(series) === 'described') this.#targets[series] = null;
    }
  }

  /** A gauge that no agent sent, which is not found by a hash. */
  createGauge(output: Output, protocol: AgentProtocolName): number {
    const series = this.numbers.take(0, 0);
    this.#grow();
    this.#set(series, 'output', 'gauge', protocol, output);
    return series;
  }

  /** As it is described; undefined once it is settled what becomes of it, and where it has to be described again. */
  sentOf(series: number): SentSeries | undefined {
    const target = this.#stateOf(series) === 'described' ? this.#targets[series] : null;
    return (target as SentSeries | null) ?? undefined;
  }

  /** What becomes of its points; undefined until that is settled. */
  fateOf(series: number): Fate | undefined {
    const state = this.#stateOf(series);
    if (state === 'described') return undefined;
    return state === 'omitted' || state === 'rejected'
      ? (this.#targets[series] as Omitted | Rejected)
      : STORED;
  }

  protocolOf(series: number): AgentProtocolName {
    return PROTOCOLS[(this.#kinds[series] as number) >>> 5] as AgentProtocolName;
  }

  modeOf(series: number): Mode {
    return MODES[((this.#kinds[series] as number) >>> 3) & 3] as Mode;
  }

  /** The metric that gets its values; undefined for one that is no number or not stored. */
  outputOf(series: number): Output | undefined {
    const state = this.#stateOf(series);
    if (state === 'output') return this.#targets[series] as Output;
    return state === 'contribution' ? (this.#targets[series] as Contribution).output : undefined;
  }

  /** Where its values are stored as they are sent; undefined for most. */
  rawOf(series: number): Destination | undefined {
    return this.#raws.size === 0 ? undefined : this.#raws.get(series);
  }

  contributionOf(series: number): Contribution | undefined {
    return this.#stateOf(series) === 'contribution' ? (this.#targets[series] as Contribution) : undefined;
  }

  subjectOf(series: number): SubjectSeries | undefined {
    return this.#stateOf(series) === 'subject' ? (this.#targets[series] as SubjectSeries) : undefined;
  }

  /** The number of the host whose metric, or whose container or process, gets its values; undefined for others. */
  hostOf(series: number): number | undefined {
    return this.outputOf(series)?.host ?? this.subjectOf(series)?.host;
  }

  histogramOf(series: number): HistogramSeries | undefined {
    return this.#stateOf(series) === 'histogram' ? (this.#targets[series] as HistogramSeries) : undefined;
  }

  /** The state of a counter in `CounterStates`; -1 for other series. */
  counterOf(series: number): number {
    return this.#counterOf[series] as number;
  }

  /** Settles that its values are stored, and counts it for its host. */
  store(series: number, { output, contribution, mode, raw }: Destination): void {
    const protocol = this.protocolOf(series);
    const counter = this.counterOf(series);
    if (contribution === null) this.#set(series, 'output', mode, protocol, output);
    else this.#set(series, 'contribution', mode, protocol, contribution);
    this.#openCounter(series, mode, counter);
    const host = this.hosts.of(output.host);
    host.add(protocol, null, output);
    if (raw === null) return;
    this.#raws.set(series, raw);
    host.hold(raw.output);
  }

  /** Settles that its values are of a container or process, and counts it for its host. */
  list(series: number, subject: SubjectSeries): void {
    const protocol = this.protocolOf(series);
    const counter = this.counterOf(series);
    const { mode } = subject.place;
    this.#set(series, 'subject', mode, protocol, subject);
    this.#openCounter(series, mode, counter);
    this.hosts.of(subject.host).add(protocol, null, null);
  }

  /** Settles that it is a histogram, and counts its figures for their host. */
  storeHistogram(series: number, isDelta: boolean, state: HistogramState, outputs: readonly Output[]): void {
    const protocol = this.protocolOf(series);
    this.#openCounter(series, 'gauge', this.counterOf(series));
    const figures = outputs.map((output) => this.createGauge(output, protocol));
    this.#set(series, 'histogram', 'gauge', protocol, { isDelta, state, figures });
    for (const output of outputs) this.hosts.of(output.host).add(protocol, null, output);
  }

  /** Settles that it is left out, and counts that for its host, or that it is refused. */
  dismiss(series: number, fate: Omitted | Rejected): void {
    const protocol = this.protocolOf(series);
    this.#openCounter(series, 'gauge', this.counterOf(series));
    this.#set(series, fate.kind, 'gauge', protocol, fate);
    if (fate.kind === 'omitted' && fate.host !== undefined)
      this.hosts.of(fate.host).add(protocol, fate.reason, null);
  }

  /** Forgets it, and what is kept for it alone. */
  release(series: number): void {
    const state = this.#stateOf(series);
    const protocol = this.protocolOf(series);
    const counter = this.counterOf(series);
    if (counter !== NO_COUNTER) this.#counters.release(counter);
    const host = this.hostOf(series);
    this.#releaseRaw(series);
    const contribution = this.contributionOf(series);
    if (contribution !== undefined) contribution.output.leave(contribution);
    if (host !== undefined) this.hosts.of(host).remove(protocol, null, this.outputOf(series) ?? null);
    for (const figure of this.histogramOf(series)?.figures ?? []) this.release(figure);
    if (state === 'omitted') {
      const { host, reason } = this.#targets[series] as Omitted;
      if (host !== undefined) this.hosts.of(host).remove(protocol, reason, null);
    }
    this.#targets[series] = null;
    this.#holders.delete(series);
    this.numbers.release(series);
  }

  /** Gives a counter its state: the one with which it was described, or a new one. Other series have none. */
  #openCounter(series: number, mode: Mode, described: number): void {
    if (mode === 'counter')
      this.#counterOf[series] = described === NO_COUNTER ? this.#counters.create() : described;
    else if (described !== NO_COUNTER) this.#counters.release(described);
  }

  #releaseRaw(series: number): void {
    const raw = this.rawOf(series);
    if (raw === undefined) return;
    this.#raws.delete(series);
    if (raw.contribution !== null) raw.output.leave(raw.contribution);
    this.hosts.of(raw.output.host).leave(raw.output);
  }

  #grow(): void {
    const { length } = this.numbers;
    if (length === this.#kinds.length) return;
    this.#kinds = grown(this.#kinds, length);
    this.#counterOf = grown(this.#counterOf, length);
  }

  #stateOf(series: number): State {
    return STATES[(this.#kinds[series] as number) & 7] as State;
  }

  #set(series: number, state: State, mode: Mode, protocol: AgentProtocolName, target: Target): void {
    this.#kinds[series] =
      STATES.indexOf(state) | (MODES.indexOf(mode) << 3) | (PROTOCOLS.indexOf(protocol) << 5);
    this.#counterOf[series] = NO_COUNTER;
    this.#targets[series] = target;
  }
}
