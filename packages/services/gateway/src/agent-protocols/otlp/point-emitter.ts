import { refusalOf } from '../points/label-list.ts';
import type { RefusedSeries } from '../points/refused-series.ts';
import { omitValue } from '../points/value-point.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import type { HistogramPoint } from '../series/sent-series.ts';
import { NO_RECORDED_VALUE } from './aggregation.ts';
import type { SummaryValues } from './summary-values.ts';

/** Which series of a point: its own, or one of those into which a summary is divided. */
export type SeriesPart = 'whole' | 'count' | 'sum' | 'quantile';

/** The attributes, metric and resource of the point that is being read. */
export interface PointSource {
  /** What the sink knows a series of the point by; undefined if it is refused, and then `refusal` says why. */
  series(part: SeriesPart, quantile?: number): SeriesRef | undefined;
  readonly refusal: RefusedSeries;
  /** What names the metric in an answer. */
  readonly example: string;
}

/**
 * Gives points of OTLP to a sink, for both of its encodings. Times are ms since the epoch, 0 if unknown; `flags` are those of
 * the point.
 */
export class PointEmitter {
  readonly #sink: PointSink;

  constructor(sink: PointSink) {
    this.#sink = sink;
  }

  /** A point of a gauge or sum, which need not have a value. */
  number(
    source: PointSource,
    time: number,
    start: number,
    flags: number,
    hasValue: boolean,
    value: number,
  ): void {
    if (flags & NO_RECORDED_VALUE) this.#sink.omit('stale', 1);
    else if (!hasValue) this.#sink.reject('invalid_value', 1, refusalOf('invalid_value', source.example));
    else if (!Number.isFinite(value)) omitValue(this.#sink, value);
    else {
      const series = source.series('whole');
      if (series !== undefined) this.#sink.point(series, time, value, start);
      else this.#sink.reject(source.refusal.reason, 1, source.refusal.example);
    }
  }

  /** A point of a histogram; undefined if it contradicts itself. */
  histogram(
    source: PointSource,
    time: number,
    start: number,
    flags: number,
    point: HistogramPoint | undefined,
  ): void {
    if (flags & NO_RECORDED_VALUE) this.#sink.omit('stale', 1);
    else if (point === undefined)
      this.#sink.rejectHistograms('invalid_value', 1, refusalOf('invalid_value', source.example));
    else {
      const series = source.series('whole');
      if (series !== undefined) this.#sink.histogram(series, time, point, start);
      else this.#sink.rejectHistograms(source.refusal.reason, 1, source.refusal.example);
    }
  }

  /** A point of a summary: its count and sum as counters, and its quantiles as gauges. */
  summary(source: PointSource, time: number, start: number, flags: number, values: SummaryValues): void {
    const sink = this.#sink;
    if (flags & NO_RECORDED_VALUE) {
      sink.omit('stale', 1);
      return;
    }
    const count = values.isValid ? source.series('count') : undefined;
    const sum = count === undefined ? undefined : source.series('sum');
    if (count === undefined || sum === undefined) {
      const { reason, example } = values.isValid
        ? source.refusal
        : { reason: 'invalid_value' as const, example: refusalOf('invalid_value', source.example) };
      sink.reject(reason, 1, example);
      return;
    }
    sink.point(count, time, values.count, start);
    if (Number.isFinite(values.sum)) sink.point(sum, time, values.sum, start);
    else omitValue(sink, values.sum);
    for (let index = 0; index < values.quantiles.length; index += 1)
      this.#quantile(source, time, values.quantiles.at(index), values.values.at(index));
  }

  #quantile(source: PointSource, time: number, quantile: number, value: number): void {
    if (!Number.isFinite(value)) {
      omitValue(this.#sink, value);
      return;
    }
    const series = source.series('quantile', quantile);
    if (series !== undefined) this.#sink.point(series, time, value, 0);
    else this.#sink.reject(source.refusal.reason, 1, source.refusal.example);
  }
}
