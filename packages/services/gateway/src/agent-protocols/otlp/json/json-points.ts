import { TYPE_CODES } from '../../points/extend-hash.ts';
import { exampleOf, labelList, MAX_LABELS } from '../../points/label-list.ts';
import type { RefusedSeries } from '../../points/refused-series.ts';
import type { PointSink, SeriesRef } from '../../series/point-sink.ts';
import { describePoint, type PointDescription } from '../describe-point.ts';
import { HistogramValues } from '../histogram-values.ts';
import { PointEmitter, type PointSource, type SeriesPart } from '../point-emitter.ts';
import { SummaryValues } from '../summary-values.ts';
import { valueText } from './any-value-json.ts';
import {
  countOf,
  doubleOf,
  integerOf,
  isAbsent,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
} from './json-members.ts';

/** Attributes as names and values by turns, sorted; undefined if they are not allowed. */
export function attributeTexts(value: unknown): string[] | undefined {
  const attributes = objectsOf(value, 'attributes');
  if (attributes.length > MAX_LABELS) return undefined;
  const texts: string[] = [];
  for (const { key, value: content } of attributes) {
    const text = valueText(objectOf(content, 'value'));
    if (text === undefined) return undefined;
    texts.push(textOf(key, 'key'), text);
  }
  return labelList(texts);
}

/** Gives the points of metrics in JSON to a sink. `metric` is set before the points of a metric are read. */
export class JsonPoints implements PointSource {
  refusal: RefusedSeries = { reason: 'invalid_labels', example: '' };
  /** What the points have in common; `labels` are those of the point that is being read. */
  metric: PointDescription = { name: '', unit: '', type: 'gauge', labels: [], resource: [] };
  readonly #sink: PointSink;
  readonly #emitter: PointEmitter;
  readonly #histogram = new HistogramValues();
  readonly #summary = new SummaryValues();

  constructor(sink: PointSink) {
    this.#sink = sink;
    this.#emitter = new PointEmitter(sink);
  }

  /** A point of a gauge or sum. */
  number(point: JsonObject): void {
    this.metric.labels = attributeTexts(point['attributes']);
    this.#omitExemplars(point);
    const isDouble = !isAbsent(point['asDouble']);
    const value = isDouble ? doubleOf(point['asDouble'], 'asDouble') : integerOf(point['asInt'], 'asInt');
    const hasValue = isDouble || !isAbsent(point['asInt']);
    this.#emitter.number(this, timeIn(point), startIn(point), flagsIn(point), hasValue, value);
  }

  /** A point of a histogram with explicit bounds. */
  histogram(point: JsonObject): void {
    const values = this.#beginHistogram(point);
    for (const count of listOf(point['bucketCounts'], 'bucketCounts'))
      values.counts.add(countOf(count, 'bucketCounts'));
    for (const bound of listOf(point['explicitBounds'], 'explicitBounds'))
      values.bounds.add(doubleOf(bound, 'explicitBounds'));
    const histogram = values.explicitPoint();
    this.#emitter.histogram(this, timeIn(point), startIn(point), flagsIn(point), histogram);
  }

  /** A point of an exponential histogram. */
  exponentialHistogram(point: JsonObject): void {
    const values = this.#beginHistogram(point);
    values.scale = integerOf(point['scale'], 'scale');
    values.zeroCount = countOf(point['zeroCount'], 'zeroCount');
    values.zeroThreshold = doubleOf(point['zeroThreshold'], 'zeroThreshold');
    for (const name of ['positive', 'negative'] as const) {
      const side = objectOf(point[name], name);
      values[name].offset = integerOf(side['offset'], 'offset');
      for (const count of listOf(side['bucketCounts'], 'bucketCounts'))
        values[name].counts.add(countOf(count, 'bucketCounts'));
    }
    const histogram = values.exponentialPoint();
    this.#emitter.histogram(this, timeIn(point), startIn(point), flagsIn(point), histogram);
  }

  /** A point of a summary. */
  summary(point: JsonObject): void {
    const values = this.#summary;
    this.metric.labels = attributeTexts(point['attributes']);
    values.clear();
    values.count = countOf(point['count'], 'count');
    values.sum = doubleOf(point['sum'], 'sum');
    for (const { quantile, value } of objectsOf(point['quantileValues'], 'quantileValues')) {
      values.quantiles.add(doubleOf(quantile, 'quantile'));
      values.values.add(doubleOf(value, 'value'));
    }
    this.#emitter.summary(this, timeIn(point), startIn(point), flagsIn(point), values);
  }

  series(part: SeriesPart, quantile?: number): SeriesRef | undefined {
    const { hash } = this.#sink;
    const { name, unit, type, labels, resource } = this.metric;
    hash.begin();
    for (const text of resource ?? []) hash.text(text);
    hash.text(name);
    hash.text(unit);
    hash.number(TYPE_CODES[type]);
    for (const text of labels ?? []) hash.text(text);
    hash.text(part);
    hash.text(String(quantile));
    const { high, low } = hash;
    const isAllowed = labels !== undefined && resource !== undefined;
    return (isAllowed ? this.#sink.find(high, low) : undefined) ?? this.#add(high, low, part, quantile);
  }

  get example(): string {
    return exampleOf(this.metric.name, []);
  }

  #add(high: number, low: number, part: SeriesPart, quantile?: number): SeriesRef | undefined {
    const described = describePoint(this.metric, part, quantile);
    if (!('reason' in described)) return this.#sink.add(high, low, described);
    this.refusal = described;
    return undefined;
  }

  #beginHistogram(point: JsonObject): HistogramValues {
    const values = this.#histogram;
    this.metric.labels = attributeTexts(point['attributes']);
    this.#omitExemplars(point);
    values.clear();
    values.count = countOf(point['count'], 'count');
    values.sum = isAbsent(point['sum']) ? undefined : doubleOf(point['sum'], 'sum');
    return values;
  }

  #omitExemplars(point: JsonObject): void {
    const { length } = listOf(point['exemplars'], 'exemplars');
    if (length > 0) this.#sink.omit('exemplar', length);
  }
}

const timeIn = (point: JsonObject) => timeOf(point['timeUnixNano'], 'timeUnixNano');
const startIn = (point: JsonObject) => timeOf(point['startTimeUnixNano'], 'startTimeUnixNano');
const flagsIn = (point: JsonObject) => countOf(point['flags'], 'flags');
