import type { Omission, PointDecoder, PointSink, Rejection } from '../agent-protocols/series/point-sink.ts';
import type { HistogramPoint, SentSeries } from '../agent-protocols/series/sent-series.ts';
import type { MalformedBodyError } from '../agent-protocols/wire/malformed-body-error.ts';
import { SeriesHash } from '../agent-protocols/wire/series-hash.ts';

/** A point as a sink got it. */
export interface RecordedPoint {
  series: SentSeries;
  time: number;
  value?: number;
  histogram?: HistogramPoint;
  start: number;
}

/** What a sink finds a series by: 32 bits of each half. */
const keyOf = (high: number, low: number) => `${high} ${low | 0}`;

/** Keeps what a decoder gives to a sink. Series stay known between bodies. */
export class RecordingSink implements PointSink<SentSeries> {
  readonly hash = new SeriesHash([1, 2]);
  readonly known = new Map<string, SentSeries>();
  points: RecordedPoint[] = [];
  /** How many series were described. */
  described = 0;
  /** How many points were refused or left out, by reason. */
  rejected: Partial<Record<Rejection, number>> = {};
  rejectedHistograms: Partial<Record<Rejection, number>> = {};
  omitted: Partial<Record<Omission, number>> = {};
  taggedHosts: { host: string; tags: ReadonlyMap<string, string> }[] = [];
  examples: string[] = [];
  /** How often the decoder let others go first. */
  turns = 0;

  find(high: number, low: number): SentSeries | undefined {
    return this.known.get(keyOf(high, low));
  }

  add(high: number, low: number, series: SentSeries): SentSeries {
    this.described += 1;
    this.known.set(keyOf(high, low), series);
    return series;
  }

  point(series: SentSeries, time: number, value: number, start: number): void {
    this.points.push({ series, time, value, start });
  }

  histogram(series: SentSeries, time: number, histogram: HistogramPoint, start: number): void {
    this.points.push({ series, time, histogram, start });
  }

  tagHost(host: string, tags: ReadonlyMap<string, string>): void {
    this.taggedHosts.push({ host, tags });
  }

  reject(reason: Rejection, points: number, example: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + points;
    this.examples.push(example);
  }

  rejectHistograms(reason: Rejection, points: number, example: string): void {
    this.rejectedHistograms[reason] = (this.rejectedHistograms[reason] ?? 0) + points;
    this.examples.push(example);
  }

  omit(reason: Omission, points: number): void {
    this.omitted[reason] = (this.omitted[reason] ?? 0) + points;
  }

  /** Takes all of a body. Returns itself, without what it had of earlier bodies besides series. */
  take(decode: PointDecoder, body: Uint8Array): this {
    this.points = [];
    this.taggedHosts = [];
    this.rejected = {};
    this.rejectedHistograms = {};
    this.omitted = {};
    this.examples = [];
    this.turns = 0;
    for (const _ of decode(Buffer.from(body), this as PointSink)) this.turns += 1;
    return this;
  }

  /** What was taken, without what was zero. */
  get counts() {
    const { points, rejected, rejectedHistograms, omitted } = this;
    return { points: points.length, rejected, rejectedHistograms, omitted };
  }
}

/** What a decoder says of a body: counts, or the error's name. */
export function outcomeOf(decode: PointDecoder, body: Uint8Array): RecordingSink['counts'] | string {
  const sink = new RecordingSink();
  try {
    return sink.take(decode, body).counts;
  } catch (error) {
    return (error as MalformedBodyError).name;
  }
}
