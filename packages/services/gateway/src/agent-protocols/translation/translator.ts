import { BOUNDS, type Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { CounterStates } from '../series/counter-states.ts';
import type { PointBatch, SeriesSource } from '../series/point-batch.ts';
import type { SeriesTable } from '../series/series-table.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import type { Destination, SubjectSeries } from './destination.ts';
import { type Fate, type Omitted, type Rejected, STORED } from './fate.ts';
import { Histograms } from './histograms/histograms.ts';
import type { KnownSeries } from './known-series.ts';
import { NONE } from './outputs/none.ts';
import { requestSeries } from './request-series.ts';
import { SampleGroup } from './sample-group.ts';
import type { Sender } from './sender.ts';
import { beyondLimit, type Placed, SeriesPlacer } from './series-placer.ts';
import { PendingLists } from './subjects/pending-lists.ts';
import type { TranslatedHost } from './translated-host.ts';

/** How many new series are settled before other requests are served. */
const TURN = 200;

/** How counters are stored: as rates per second, as they are sent, or both. */
export type CounterForm = 'rates' | 'raw' | 'both';

export interface TranslatorOptions {
  counters: CounterStates;
  /** The series of all organizations, of which the table has those of this one. */
  known: KnownSeries;
  table: SeriesTable;
  hash: SeriesHash;
  /** The labels that name a host, in their order. */
  hostLabels: readonly string[];
  /** Whether series of applications on hosts are stored. */
  applications: boolean;
  counterForm: CounterForm;
  /** Points less than this apart belong to one sample, ms. */
  stepMs: number;
}

/** The samples of a request, and what is to be done once they are published. */
export interface Translation {
  payloads: Payload[];
  /** Moves the states of counters; called once the payloads are durable, and never where they are not. */
  commit(): void;
}

/** Turns points of other agents into payloads, for one organization. */
export class Translator {
  readonly #options: TranslatorOptions;
  readonly #placer: SeriesPlacer;
  readonly #histograms: Histograms;
  #request = 0;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.#placer = new SeriesPlacer(options.known.hosts, options.hostLabels, options.applications);
    this.#histograms = new Histograms(this.#placer, options.known);
  }

  /** The series of one sender, for a batch of its points. */
  source(sender: Sender): SeriesSource {
    const { known, table, hash } = this.#options;
    const origin = `${sender.host ?? ''}\0${sender.onlyHost ?? ''}`;
    return requestSeries(known, table, hash.of(origin), (sent) => this.#placer.learn(sent, sender));
  }

  /**
   * Finds out where the points of new series go, which takes a hundred times as long as for those that are known. Yields after every
   * `TURN` of them, so that other requests are served meanwhile. Called before `translate`.
   */
  *settle(batch: PointBatch, sender: Sender): Generator<undefined, void, undefined> {
    const { known } = this.#options;
    let settled = 0;
    requireRemembered(batch);
    for (const series of batch.series) {
      if (known.isSettled(series) || batch.fates.has(series)) continue;
      const fate = this.#settle(series, sender);
      if (known.fateOf(series) === undefined) batch.fates.set(series, fate);
      settled += 1;
      if (settled % TURN > 0) continue;
      yield;
      requireRemembered(batch);
    }
  }

  /** Translates the points of a batch; what it refuses and leaves out is counted in the batch. */
  translate(batch: PointBatch, sender: Sender): Translation {
    requireRemembered(batch);
    this.#request += 1;
    this.#options.counters.begin();
    this.#tagHosts(batch, sender);
    const moveHistograms = this.#histograms.expand(batch, sender);
    const hosts = this.#collect(batch, sender);
    const payloads: Payload[] = [];
    const tagged: TranslatedHost[] = [];
    for (const host of hosts) {
      const first = payloads.length;
      const lists = new PendingLists();
      for (const group of this.#groups(host.points, batch.times))
        this.#translateGroup(batch, host, group, sender.receivedAt, payloads, lists);
      lists.attach(host.name, payloads, first);
      host.points = [];
      const tags = host.tags.due(sender.receivedAt);
      const last = payloads.at(-1);
      if (tags === undefined || last === undefined || payloads.length === first) continue;
      last.tags = tags;
      tagged.push(host);
    }
    const moveCounters = this.#options.counters.moves();
    return {
      payloads,
      commit() {
        moveCounters();
        moveHistograms();
        for (const { tags } of tagged) tags.sent(sender.receivedAt);
      },
    };
  }

  #tagHosts(batch: PointBatch, sender: Sender): void {
    for (const { host, tags } of batch.taggedHosts) {
      const name = sender.host ?? host;
      if (sender.isAllowed(name)) this.#placer.tagHost(name, tags);
      else batch.reject('host_not_allowed', 1, notAllowed(name));
    }
  }

  /** Finds the host of each point, gives it the position of the point, and returns the hosts. */
  #collect(batch: PointBatch, sender: Sender): TranslatedHost[] {
    const { series, times, values } = batch;
    const { receivedAt } = sender;
    const { known } = this.#options;
    const hosts: TranslatedHost[] = [];
    for (let at = 0; at < series.length; at += 1) {
      const each = series[at] as number;
      const fate = known.fateOf(each) ?? batch.fates.get(each) ?? this.#settle(each, sender);
      if (fate.kind === 'omitted') {
        batch.omit(fate.reason, 1);
        continue;
      }
      const number = known.hostOf(each);
      if (fate.kind === 'rejected') {
        if (fate.host !== undefined) known.hosts.of(fate.host).report(known.protocolOf(each)).reject();
        batch.reject(fate.reason, 1, fate.example);
      } else if (number !== undefined) {
        const host = known.hosts.of(number);
        if (times[at] === 0 && sender.zeroIsArrival) times[at] = receivedAt;
        const time = times[at] as number;
        if (!(time >= BOUNDS.earliestTime && time <= receivedAt + BOUNDS.aheadMs)) {
          host.report(known.protocolOf(each)).reject();
          batch.reject(
            'invalid_time',
            1,
            `${known.metricOf(each) ?? 'a value'} of ${host.name} has the time ${time} ms; ${TIME_BOUNDS}`,
          );
          continue;
        }
        if (!Number.isFinite(values[at])) {
          batch.omit(Number.isNaN(values[at]) ? 'not_a_number' : 'infinite', 1);
          continue;
        }
        if (host.request !== this.#request) {
          if (!sender.isAllowed(host.name)) {
            batch.reject('host_not_allowed', 1, notAllowed(host.name));
            continue;
          }
          host.request = this.#request;
          hosts.push(host);
        }
        host.points.push(at);
      }
    }
    return hosts;
  }

  /** Finds out where the points of a series go; not for good while the name of its host may still come. */
  #settle(series: number, sender: Sender): Fate {
    const { known } = this.#options;
    if (known.isForgotten(series)) throw new ProblemError('ingest_unavailable', { detail: TOO_MANY_SERIES });
    const sent = known.sentOf(series);
    if (sent === undefined) return STORED;
    const placed = this.#placer.place(sent, sender);
    const settled = 'kind' in placed ? placed : this.#destination(placed);
    if ('list' in settled) known.list(series, settled);
    else if (!('kind' in settled)) known.store(series, settled);
    else if (isFinal(settled)) known.dismiss(series, settled);
    else return settled;
    return known.fateOf(series) ?? STORED;
  }

  #destination({ host, place }: Placed): Destination | SubjectSeries | Rejected {
    if ('family' in place) return { host: host.number, list: host.list(place.family), place };
    const { counterForm } = this.#options;
    const { mode, combined, contributor } = place;
    const rawMetric = counterForm === 'rates' ? null : place.raw;
    const output = host.outputs.of(place.part, place.metric, rawMetric !== null && counterForm === 'raw');
    const raw = rawMetric === null ? null : host.outputs.of(place.part, rawMetric);
    if (output === undefined || raw === undefined) return beyondLimit(host, place);
    const { outputs } = this.#options.known.hosts;
    if (combined !== null) outputs.setMean(output, combined === 'mean');
    outputs.setApart(output, place.isApart);
    if (raw !== null) outputs.setApart(raw, place.isApart);
    const to = (one: number) => ({
      output: one,
      contribution: combined === null ? NONE : outputs.contribution(one, contributor),
    });
    const sent =
      raw === null ? null : { ...to(raw), mode: mode === 'delta' ? mode : ('gauge' as const), raw: null };
    return { ...to(output), mode, raw: sent };
  }

  /** Divides the points of a host into samples: each begins with its earliest point and has what lies within the step after it. */
  *#groups(points: number[], times: readonly number[]): Generator<number[]> {
    const timeOf = (point: number) => times[point] as number;
    let isSorted = true;
    for (let at = 1; at < points.length; at += 1)
      if (timeOf(points[at] as number) < timeOf(points[at - 1] as number)) isSorted = false;
    if (!isSorted) points.sort((a, b) => timeOf(a) - timeOf(b) || a - b);
    const last = points.at(-1);
    if (last === undefined) return;
    if (timeOf(last) - timeOf(points[0] as number) < this.#options.stepMs) {
      yield points;
      return;
    }
    for (let from = 0, to = 0; from < points.length; from = to) {
      const end = timeOf(points[from] as number) + this.#options.stepMs;
      while (to < points.length && timeOf(points[to] as number) < end) to += 1;
      yield points.slice(from, to);
    }
  }

  #translateGroup(
    batch: PointBatch,
    host: TranslatedHost,
    points: readonly number[],
    now: number,
    payloads: Payload[],
    lists: PendingLists,
  ): void {
    const { stepMs, known } = this.#options;
    const first = batch.times[points[0] as number] as number;
    const time = Math.floor(first / stepMs) * stepMs;
    const group = new SampleGroup(known.hosts, known.hosts.beginGroup(), first, stepMs);
    for (const point of points) {
      const series = batch.series[point] as number;
      const at = batch.times[point] as number;
      const value = this.#valueOf(series, at, batch.values[point] as number, batch.starts[point] as number);
      const raw = known.rawOf(series);
      if (raw !== undefined) group.set(raw, at, batch.values[point] as number);
      else if (Number.isNaN(value)) batch.omit('first_of_counter', 1);
      const output = known.outputOf(series);
      if (output !== NONE) {
        const contribution = known.contributionOf(series);
        group.set({ output, contribution, mode: known.modeOf(series) }, at, value);
        continue;
      }
      const subject = known.subjectOf(series);
      if (subject?.list.take(subject.place, at, value)) group.lists.add(subject.list);
      else if (subject !== undefined) batch.omit(subject.place.family.kind, 1);
    }
    for (const list of group.lists) lists.add(list, time, first, stepMs);
    group.compute();
    if (group.isEmpty) return;
    for (const { output, value } of host.reported(now)) group.add(output, value);
    const outputs = group.ordered();
    payloads.push(...host.layouts.payloads(host.name, time, outputs));
  }

  #valueOf(series: number, time: number, value: number, start: number): number {
    const { known, counters } = this.#options;
    const mode = known.modeOf(series);
    if (mode === 'gauge') return value;
    if (mode === 'counter') return counters.rate(known.counterOf(series), time, value, start);
    return start > 0 && start < time ? (value * 1_000) / (time - start) : Number.NaN;
  }
}

function requireRemembered(batch: PointBatch): void {
  if (batch.mayBeForgotten) throw new ProblemError('ingest_unavailable', { detail: TOO_MANY_SERIES });
}

/** Whether it stays so: a host may be named later, and there may be room again. */
function isFinal(fate: Omitted | Rejected): boolean {
  return fate.kind === 'omitted' ? fate.reason !== 'host_not_known_yet' : fate.reason === 'invalid_name';
}

function notAllowed(host: string): string {
  return `the key may not report for the host ${JSON.stringify(host)}`;
}

const TOO_MANY_SERIES = 'Too many new series are sent at once. Send the request again.';
const TIME_BOUNDS = 'times are from the year 2000 to 24 hours ahead';
