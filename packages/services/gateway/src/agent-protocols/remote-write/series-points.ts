import { refusalOf } from '../points/label-list.ts';
import { isStaleMarker, omitValue } from '../points/value-point.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import { knownFields, type ProtobufReader } from '../wire/protobuf-reader.ts';
import { NativeHistogram } from './native-histogram.ts';
import type { SeriesSource } from './series-source.ts';

/** How many points or series are read before other requests are served. */
const TURN = 1_000;

const SAMPLES = 18;
const SAMPLE_FIELDS = knownFields(1, 2, 3);

/** The tags of what a version of the protocol has in a series besides samples, and all fields that a series has. */
export interface SeriesLayout {
  histograms: number;
  exemplars: number;
  fields: number;
  /** The tags of fields that are no points. */
  others: readonly number[];
}

/**
 * Reads the points of series into a sink. For each series `begin`, then `read` as long as it returns true, each time after
 * other requests were served.
 */
export class SeriesPoints {
  readonly #reader: ProtobufReader;
  readonly #sink: PointSink;
  readonly #layout: SeriesLayout;
  readonly #source: SeriesSource;
  readonly #histogram = new NativeHistogram();
  #left = TURN;
  #created = 0;
  #series: SeriesRef | null | undefined = null;
  #histograms: SeriesRef | null | undefined = null;
  #refused = 0;
  #refusedHistograms = 0;

  constructor(reader: ProtobufReader, sink: PointSink, layout: SeriesLayout, source: SeriesSource) {
    this.#reader = reader;
    this.#sink = sink;
    this.#layout = layout;
    this.#source = source;
  }

  /** Begins with another series; `created` is the time from which it counts, ms since the epoch, 0 if unknown. */
  begin(created: number): void {
    this.#created = created;
    this.#series = null;
    this.#histograms = null;
    this.#left -= 1;
  }

  /** Reads up to the end of the series. Returns true before that if other requests have to be served first. */
  read(): boolean {
    const reader = this.#reader;
    const { histograms, exemplars } = this.#layout;
    for (;;) {
      if (this.#left <= 0) {
        this.#left = TURN;
        return true;
      }
      if (reader.at >= reader.end) break;
      this.#left -= 1;
      const tag = reader.tag();
      if (tag === SAMPLES) this.#readSample();
      else if (tag === histograms) this.#readHistogram();
      else if (tag === exemplars) {
        reader.pass();
        this.#sink.omit('exemplar', 1);
      } else this.#skip(tag);
    }
    if (this.#refused + this.#refusedHistograms > 0) this.#reject();
    return false;
  }

  #skip(tag: number): void {
    const { fields, others } = this.#layout;
    this.#reader.skip(tag, others.includes(tag) ? 0 : fields);
  }

  #readSample(): void {
    const reader = this.#reader;
    const outer = reader.enter();
    let value = 0;
    let valueAt = -1;
    let time = 0;
    let start = this.#created;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === 9) {
        valueAt = reader.at;
        value = reader.double();
      } else if (tag === 16) time = reader.int64();
      else if (tag === 24) start = reader.int64();
      else reader.skip(tag, SAMPLE_FIELDS);
    }
    reader.leave(outer);
    if (this.#series === null) this.#series = this.#source.series(false);
    const series = this.#series;
    if (series === undefined) this.#refused += 1;
    else if (Number.isFinite(value)) this.#sink.point(series, time, value, start);
    else if (isStaleMarker(reader.bytes, valueAt)) this.#sink.omit('stale', 1);
    else omitValue(this.#sink, value);
  }

  #readHistogram(): void {
    const histogram = this.#histogram;
    histogram.read(this.#reader, this.#created);
    if (this.#histograms === null) this.#histograms = this.#source.series(true);
    const series = this.#histograms;
    if (series === undefined) this.#refusedHistograms += 1;
    else if (histogram.isStale) this.#sink.omit('stale', 1);
    else if (histogram.isGauge)
      this.#sink.rejectHistograms('unsupported_type', 1, refusalOf('unsupported_type', this.#source.example));
    else {
      const point = histogram.point();
      if (point === undefined)
        this.#sink.rejectHistograms('invalid_value', 1, refusalOf('invalid_value', this.#source.example));
      else this.#sink.histogram(series, histogram.time, point, histogram.start);
    }
  }

  #reject(): void {
    const { reason, example } = this.#source.refusal;
    if (this.#refused > 0) this.#sink.reject(reason, this.#refused, example);
    if (this.#refusedHistograms > 0) this.#sink.rejectHistograms(reason, this.#refusedHistograms, example);
    this.#refused = 0;
    this.#refusedHistograms = 0;
  }
}
