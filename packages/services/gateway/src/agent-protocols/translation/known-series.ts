import type { CounterStates } from '../series/counter-states.ts';
import { ObjectSlots } from '../series/object-slots.ts';
import { OMISSIONS, type Omission } from '../series/point-sink.ts';
import type { AgentProtocolName, SentSeries } from '../series/sent-series.ts';
import { grown, SeriesNumbers } from '../series/series-numbers.ts';
import type { Destination, HistogramSeries, SubjectSeries } from './destination.ts';
import { type Fate, OMITTED, type Omitted, type Rejected, STORED } from './fate.ts';
import type { HistogramState } from './histograms/histogram-state.ts';
import { KnownHosts } from './known-hosts.ts';
import type { Mode } from './metric-place.ts';
import { NONE } from './outputs/none.ts';

/**
 * `described` is one of which it is not known yet where its points go; the others have what their names say as their target: the number
 * of an output or contribution, what `omissionOf` reads, or a slot of an object.
 */
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
const DESCRIBED = STATES.indexOf('described');
const MODES: readonly Mode[] = ['gauge', 'counter', 'delta'];
const PROTOCOLS: readonly AgentProtocolName[] = ['remote_write', 'otlp', 'influx', 'collectd', 'datadog'];
const NO_COUNTER = -1;
const REASONS = OMISSIONS.length;

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
  #targetOf = new Int32Array(this.numbers.length);
  /** Of those that are not settled; a target is -1 where the description was dropped. */
  readonly #descriptions = new ObjectSlots<SentSeries>();
  readonly #histograms = new ObjectSlots<HistogramSeries>();
  readonly #subjects = new ObjectSlots<SubjectSeries>();
  readonly #rejections = new ObjectSlots<Rejected>();
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
    this.#set(series, 'described', 'gauge', sent.protocol, this.#descriptions.add(sent));
    const counter = before === undefined ? NO_COUNTER : this.counterOf(before);
    if (counter !== NO_COUNTER) this.#counterOf[series] = this.#counters.create(counter);
    return series;
  }

  /** Describes a series again whose description was dropped. */
  describe(series: number, sent: SentSeries): void {
    this.#dropDescription(series);
    this.#targetOf[series] = this.#descriptions.add(sent);
  }

  /** Whether it is known what becomes of its points. */
  isSettled(series: number): boolean {
    return ((this.#kinds[series] as number) & 7) !== DESCRIBED;
  }

  /** Whether it is not settled and has to be described again. */
  isForgotten(series: number): boolean {
    return this.#stateOf(series) === 'described' && this.#targetOf[series] === NONE;
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
      this.#dropDescription(series);
    }
  }

  /** A gauge that no agent sent, which is not found by a hash. */
  createGauge(output: number, protocol: AgentProtocolName): number {
    const series = this.numbers.take(0, 0);
    this.#grow();
    this.#set(series, 'output', 'gauge', protocol, output);
    return series;
  }

  /** As it is described; undefined once it is settled what becomes of it, and where it has to be described again. */
  sentOf(series: number): SentSeries | undefined {
    const target = this.#targetOf[series] as number;
    if (this.#stateOf(series) !== 'described' || target === NONE) return undefined;
    return this.#descriptions.of(target);
  }

  /** What becomes of its points; undefined until that is settled. That it is left out is said without its host. */
  fateOf(series: number): Fate | undefined {
    const state = this.#stateOf(series);
    if (state === 'described') return undefined;
    if (state === 'omitted') return OMITTED[(this.#targetOf[series] as number) % REASONS];
    return state === 'rejected' ? this.#rejections.of(this.#targetOf[series] as number) : STORED;
  }

  protocolOf(series: number): AgentProtocolName {
    return PROTOCOLS[(this.#kinds[series] as number) >>> 5] as AgentProtocolName;
  }

  modeOf(series: number): Mode {
    return MODES[((this.#kinds[series] as number) >>> 3) & 3] as Mode;
  }

  /** The output that gets its values; -1 for a series that is no number or not stored. */
  outputOf(series: number): number {
    const state = this.#stateOf(series);
    const target = this.#targetOf[series] as number;
    if (state === 'output') return target;
    return state === 'contribution' ? this.hosts.outputs.contributions.outputOf(target) : NONE;
  }

  /** The name of the metric that gets its values. */
  metricOf(series: number): string | undefined {
    const output = this.outputOf(series);
    return output === NONE ? undefined : this.hosts.outputs.metricOf(output);
  }

  /** Where its values are stored as they are sent; undefined for most. */
  rawOf(series: number): Destination | undefined {
    return this.#raws.size === 0 ? undefined : this.#raws.get(series);
  }

  /** The contribution that gets its values; -1 where its output has them. */
  contributionOf(series: number): number {
    return this.#stateOf(series) === 'contribution' ? (this.#targetOf[series] as number) : NONE;
  }

  subjectOf(series: number): SubjectSeries | undefined {
    if (this.#stateOf(series) !== 'subject') return undefined;
    return this.#subjects.of(this.#targetOf[series] as number);
  }

  /** The number of the host whose metric, or whose container or process, gets its values; undefined for others. */
  hostOf(series: number): number | undefined {
    const output = this.outputOf(series);
    return output === NONE ? this.subjectOf(series)?.host : this.hosts.outputs.hostOf(output);
  }

  histogramOf(series: number): HistogramSeries | undefined {
    if (this.#stateOf(series) !== 'histogram') return undefined;
    return this.#histograms.of(this.#targetOf[series] as number);
  }

  /** The state of a counter in `CounterStates`; -1 for other series. */
  counterOf(series: number): number {
    return this.#counterOf[series] as number;
  }

  /** Settles that its values are stored, and counts it for its host. */
  store(series: number, { output, contribution, mode, raw }: Destination): void {
    if (contribution === NONE) this.#settle(series, 'output', mode, output);
    else this.#settle(series, 'contribution', mode, contribution);
    const host = this.hosts.of(this.hosts.outputs.hostOf(output));
    host.add(this.protocolOf(series), null, output);
    if (raw === null) return;
    this.#raws.set(series, raw);
    host.outputs.hold(raw.output);
  }

  /** Settles that its values are of a container or process, and counts it for its host. */
  list(series: number, subject: SubjectSeries): void {
    this.#settle(series, 'subject', subject.place.mode, this.#subjects.add(subject));
    this.hosts.of(subject.host).add(this.protocolOf(series), null, null);
  }

  /** Settles that it is a histogram, and counts its figures for their host. */
  storeHistogram(series: number, isDelta: boolean, state: HistogramState, outputs: readonly number[]): void {
    const protocol = this.protocolOf(series);
    const figures = outputs.map((output) => this.createGauge(output, protocol));
    this.#settle(series, 'histogram', 'gauge', this.#histograms.add({ isDelta, state, figures }));
    for (const output of outputs)
      this.hosts.of(this.hosts.outputs.hostOf(output)).add(protocol, null, output);
  }

  /** Settles that it is left out, and counts that for its host, or that it is refused. */
  dismiss(series: number, fate: Omitted | Rejected): void {
    if (fate.kind === 'rejected') {
      this.#settle(series, 'rejected', 'gauge', this.#rejections.add(fate));
      return;
    }
    const { reason, host } = fate;
    const ofHost = host === undefined ? 0 : REASONS * (host + 1);
    this.#settle(series, 'omitted', 'gauge', OMISSIONS.indexOf(reason) + ofHost);
    if (host !== undefined) this.hosts.of(host).add(this.protocolOf(series), reason, null);
  }

  /** Forgets it, and what is kept for it alone. */
  release(series: number): void {
    const state = this.#stateOf(series);
    const target = this.#targetOf[series] as number;
    const protocol = this.protocolOf(series);
    const counter = this.counterOf(series);
    if (counter !== NO_COUNTER) this.#counters.release(counter);
    const host = this.hostOf(series);
    const output = this.outputOf(series);
    this.#dropDescription(series);
    this.#releaseRaw(series);
    if (state === 'contribution') this.hosts.outputs.leave(target);
    if (host !== undefined) this.hosts.of(host).remove(protocol, null, output === NONE ? null : output);
    if (state === 'histogram') {
      for (const figure of this.#histograms.of(target).figures) this.release(figure);
      this.#histograms.release(target);
    }
    if (state === 'subject') this.#subjects.release(target);
    if (state === 'rejected') this.#rejections.release(target);
    if (state === 'omitted' && target >= REASONS) {
      const reason = OMISSIONS[target % REASONS] as Omission;
      this.hosts.of(Math.floor(target / REASONS) - 1).remove(protocol, reason, null);
    }
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
    if (raw.contribution !== NONE) this.hosts.outputs.leave(raw.contribution);
    this.hosts.of(this.hosts.outputs.hostOf(raw.output)).outputs.leave(raw.output);
  }

  #grow(): void {
    const { length } = this.numbers;
    if (length === this.#kinds.length) return;
    this.#kinds = grown(this.#kinds, length);
    this.#counterOf = grown(this.#counterOf, length);
    this.#targetOf = grown(this.#targetOf, length);
  }

  #stateOf(series: number): State {
    return STATES[(this.#kinds[series] as number) & 7] as State;
  }

  #dropDescription(series: number): void {
    const target = this.#targetOf[series] as number;
    if (this.#stateOf(series) !== 'described' || target === NONE) return;
    this.#descriptions.release(target);
    this.#targetOf[series] = NONE;
  }

  /** Settles what becomes of a series that is described. */
  #settle(series: number, state: State, mode: Mode, target: number): void {
    const counter = this.counterOf(series);
    this.#dropDescription(series);
    this.#set(series, state, mode, this.protocolOf(series), target);
    this.#openCounter(series, mode, counter);
  }

  #set(series: number, state: State, mode: Mode, protocol: AgentProtocolName, target: number): void {
    this.#kinds[series] =
      STATES.indexOf(state) | (MODES.indexOf(mode) << 3) | (PROTOCOLS.indexOf(protocol) << 5);
    this.#counterOf[series] = NO_COUNTER;
    this.#targetOf[series] = target;
  }
}
