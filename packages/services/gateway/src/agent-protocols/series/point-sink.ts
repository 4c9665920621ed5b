import type { SeriesHash } from '../wire/series-hash.ts';
import type { HistogramPoint, SentSeries } from './sent-series.ts';

/** Why points are refused for ever: each is an error of the sender. */
export type Rejection =
  | 'no_host'
  | 'host_not_allowed'
  | 'invalid_name'
  | 'invalid_labels'
  | 'invalid_time'
  | 'invalid_value'
  | 'unsupported_type'
  | 'parts_limit'
  | 'series_limit';

/** Why points are taken and not stored: none is an error. */
export const OMISSIONS = [
  'not_a_number',
  'infinite',
  'stale',
  'sign_of_scrape',
  'information',
  'bucket',
  'exemplar',
  'sketch',
  'text',
  'exporter',
  'application',
  'process',
  'container',
  'first_of_counter',
  'late_of_counter',
  'core',
  'host_not_known_yet',
] as const;
export type Omission = (typeof OMISSIONS)[number];

/** What a sink knows a series by. */
export type SeriesRef = object | number;

/**
 * Takes the points of one request from a decoder. A series is found by 64 bits of a hash of its bytes (see
 * `wire/series-hash.ts`), so that its texts are decoded once; `S` is what the sink knows a series by.
 */
export interface PointSink<S = SeriesRef> {
  /** Hashes what a series is known by; see `find`. */
  readonly hash: SeriesHash;
  /** The series with this hash, of which the low 32 bits of each half count; undefined if it has to be described by `add`. */
  find(high: number, low: number): S | undefined;
  /**
   * Describes a series that `find` did not know. Always returns one, also for a series that is rejected or left out. `before` is the same
   * series as it was known before its type was: a counter goes on with the values of that.
   */
  add(high: number, low: number, series: SentSeries, before?: S): S;
  /**
   * One value at `time`, ms since the epoch, as sent (0 if unknown); `start` is the time from which a counter or delta counts, 0 if
   * unknown. Takes any double, also NaN and infinite ones, and any time.
   */
  point(series: S, time: number, value: number, start: number): void;
  /** One point of a histogram, of a series of the type counter (cumulative) or delta. */
  histogram(series: S, time: number, point: HistogramPoint, start: number): void;
  /** Counts points that the decoder refuses; `example` names one of them, for the answer. */
  reject(reason: Rejection, points: number, example: string): void;
  /** Counts points of histograms that the decoder refuses, as `reject`. */
  rejectHistograms(reason: Rejection, points: number, example: string): void;
  /** States all tags of a host, which are stored with its next sample: they are no sample of their own. */
  tagHost(host: string, tags: ReadonlyMap<string, string>): void;
  /** Counts points that the decoder leaves out. */
  omit(reason: Omission, points: number): void;
}

/**
 * Decodes a body without content encoding into a sink. Yields after at most a thousand points, so that other requests are
 * served meanwhile. Throws `MalformedBodyError` for a body of which nothing may be taken.
 */
export type PointDecoder = (bytes: Buffer, sink: PointSink) => Generator<undefined, void, undefined>;
