import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Fate } from '../translation/fate.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import type { Omission, PointSink, Rejection } from './point-sink.ts';
import type { HistogramPoint, SentSeries } from './sent-series.ts';

/** Finds and adds the series of one sender. */
export interface SeriesSource {
  /** How often series were dropped; see `SeriesTable`. */
  turns(): number;
  readonly hash: SeriesHash;
  find(high: number, low: number): number | undefined;
  add(high: number, low: number, series: SentSeries, before?: number): number;
  /** Ends the request: descriptions of series that were not settled are dropped. */
  release(): void;
}

/** What of a request was refused for ever, by reason, with at most ten examples. */
export interface Refusals {
  points: number;
  histograms: number;
  reasons: Map<Rejection, number>;
  examples: string[];
}

const MAX_EXAMPLES = 10;
/** The max numbers of points and of histograms in a request: more than any sender puts into one, and bounded in memory. */
export const MAX_POINTS = 200_000;
export const MAX_HISTOGRAMS = 20_000;
/** The max number of bounds and counts of all histograms of a request, 24 MB: those of 9,000 histograms of the max size. */
export const MAX_BUCKET_NUMBERS = 3_000_000;
/** The max memory of the labels of new series in a request, estimated: a sender's 10,000 series with 25 labels take about as much. */
export const MAX_LABEL_BYTES = 24_000_000;
/** The memory of a text beside its characters. */
const TEXT_BYTES = 40;

/** The points of one request, in the order in which they were sent: parallel lists. */
export class PointBatch implements PointSink<number> {
  readonly hash: SeriesHash;
  /** The numbers of their series. */
  readonly series: number[] = [];
  /** Milliseconds since the epoch; 0 where the sender does not know. */
  readonly times: number[] = [];
  readonly values: number[] = [];
  /** From when counters and deltas count, ms; 0 where it is not known. */
  readonly starts: number[] = [];
  readonly histograms: { series: number; time: number; point: HistogramPoint; start: number }[] = [];
  readonly taggedHosts: { host: string; tags: ReadonlyMap<string, string> }[] = [];
  readonly refusals: Refusals = { points: 0, histograms: 0, reasons: new Map(), examples: [] };
  readonly omissions = new Map<Omission, number>();
  /** What becomes of series in this request alone, by their numbers: of those of which it may be something else in another one. */
  readonly fates = new Map<number, Fate>();
  readonly #source: SeriesSource;
  readonly #turns: number;
  #bucketNumbers = 0;
  #labelBytes = 0;
  #lastLabels: readonly string[] = [];

  constructor(source: SeriesSource) {
    this.#source = source;
    this.#turns = source.turns();
    this.hash = source.hash;
  }

  /** Whether series of the batch may have been dropped since it began, so that their numbers may be those of others. */
  get mayBeForgotten(): boolean {
    return this.#source.turns() - this.#turns >= 2;
  }

  find(high: number, low: number): number | undefined {
    return this.#source.find(high, low);
  }

  add(high: number, low: number, series: SentSeries, before?: number): number {
    this.#countLabels(series.labels);
    return this.#source.add(high, low, series, before);
  }

  point(series: number, time: number, value: number, start: number): void {
    if (this.series.length === MAX_POINTS) throw tooMany(`${MAX_POINTS} points`);
    this.series.push(series);
    this.times.push(time);
    this.values.push(value);
    this.starts.push(start);
  }

  histogram(series: number, time: number, point: HistogramPoint, start: number): void {
    if (this.histograms.length === MAX_HISTOGRAMS) throw tooMany(`${MAX_HISTOGRAMS} histograms`);
    this.#bucketNumbers += point.bounds.length + point.counts.length;
    if (this.#bucketNumbers > MAX_BUCKET_NUMBERS)
      throw tooMany(`${MAX_BUCKET_NUMBERS} bounds and counts of histograms`);
    this.histograms.push({ series, time, point, start });
  }

  tagHost(host: string, tags: ReadonlyMap<string, string>): void {
    this.taggedHosts.push({ host, tags });
  }

  reject(reason: Rejection, points: number, example: string): void {
    this.refusals.points += points;
    this.#refuse(reason, points, example);
  }

  rejectHistograms(reason: Rejection, points: number, example: string): void {
    this.refusals.histograms += points;
    this.#refuse(reason, points, example);
  }

  omit(reason: Omission, points: number): void {
    this.omissions.set(reason, (this.omissions.get(reason) ?? 0) + points);
  }

  /** Ends the request: descriptions of series that were not settled are dropped. */
  release(): void {
    this.#source.release();
  }

  /** Counts the labels of a new series, unless it shares them with the one before it. */
  #countLabels(labels: readonly string[]): void {
    if (labels === this.#lastLabels) return;
    this.#lastLabels = labels;
    for (const text of labels) this.#labelBytes += TEXT_BYTES + text.length;
    if (this.#labelBytes > MAX_LABEL_BYTES) throw tooMany(`${MAX_LABEL_BYTES} bytes of labels of new series`);
  }

  #refuse(reason: Rejection, points: number, example: string): void {
    const { reasons, examples } = this.refusals;
    reasons.set(reason, (reasons.get(reason) ?? 0) + points);
    if (examples.length < MAX_EXAMPLES) examples.push(example);
  }
}

function tooMany(allowed: string): ProblemError {
  return new ProblemError('payload_too_large', { detail: `A request has at most ${allowed}.` });
}
