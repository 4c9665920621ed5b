import { extendHash, TYPE_CODES } from '../../points/extend-hash.ts';
import { exampleOf, refusalOf } from '../../points/label-list.ts';
import type { RefusedSeries } from '../../points/refused-series.ts';
import type { PointSink, SeriesRef } from '../../series/point-sink.ts';
import type { SeriesType } from '../../series/sent-series.ts';
import type { Places } from '../../wire/places.ts';
import { knownFields, type ProtobufReader } from '../../wire/protobuf-reader.ts';
import { describePoint } from '../describe-point.ts';
import { PointEmitter, type PointSource, type SeriesPart } from '../point-emitter.ts';
import { AttributeList } from './attribute-list.ts';
import { HistogramPointReader } from './histogram-point-reader.ts';
import { Kind, MetricHeader } from './metric-header.ts';
import { NumberPoint } from './number-point.ts';
import { SummaryPoint } from './summary-point.ts';

/** How many points, metrics or resources are read before other requests are served. */
const TURN = 1_000;

const POINTS = 10;

/** Codes of the parts, for hashes. */
const PART_CODES: Record<SeriesPart, number> = { whole: 0, count: 1, sum: 2, quantile: 3 };

/**
 * Reads the points of metrics in protobuf. `beginResource` for each resource; then for each of its metrics `begin`, and `read`
 * as long as it returns true, each time after other requests were served.
 */
export class MetricPoints implements PointSource {
  refusal: RefusedSeries = { reason: 'invalid_labels', example: '' };
  readonly #reader: ProtobufReader;
  readonly #sink: PointSink;
  readonly #emitter: PointEmitter;
  readonly #header = new MetricHeader();
  readonly #resource: AttributeList;
  readonly #attributes: AttributeList;
  readonly #number = new NumberPoint();
  readonly #histogram = new HistogramPointReader();
  readonly #summary = new SummaryPoint();
  #left = TURN;
  #place = 0;
  #type: SeriesType = 'gauge';
  #name: string | undefined;
  /** Null until it is decoded; undefined if it is refused. */
  #resourceTexts: string[] | undefined | null = null;
  #resourceHigh = 0;
  #resourceLow = 0;
  #metricHigh = 0;
  #metricLow = 0;
  #high = 0;
  #low = 0;

  constructor(reader: ProtobufReader, sink: PointSink) {
    this.#reader = reader;
    this.#sink = sink;
    this.#emitter = new PointEmitter(sink);
    this.#resource = new AttributeList(reader);
    this.#attributes = new AttributeList(reader);
  }

  /** Counts something that was read; returns whether other requests have to be served first. */
  isTurnOver(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = TURN;
    return true;
  }

  /** Begins with a resource: messages whose places are given. */
  beginResource(places: Places): void {
    const reader = this.#reader;
    const { hash } = this.#sink;
    const { at, end } = reader;
    this.#resource.clear();
    this.#resourceTexts = null;
    hash.begin();
    for (let index = 0; index < places.count; index += 1) {
      reader.move(places.start(index), places.end(index));
      while (reader.at < reader.end) {
        const tag = reader.tag();
        if (tag === 10) this.#resource.add(hash);
        else reader.skip(tag, knownFields(1));
      }
    }
    this.#resourceHigh = hash.high;
    this.#resourceLow = hash.low;
    reader.move(at, end);
  }

  /** Begins with the metric to which reading is limited. */
  begin(): void {
    const header = this.#header;
    header.read(this.#reader);
    this.#name = undefined;
    this.#place = 0;
    const { type } = header;
    if (type === undefined || header.nameStart === header.nameEnd) {
      this.#refuse(type === undefined ? 'unsupported_type' : 'invalid_name');
      return;
    }
    this.#type = type;
    const { hash } = this.#sink;
    const { view } = this.#reader;
    extendHash(hash, this.#resourceHigh, this.#resourceLow, header.kind * 4 + TYPE_CODES[type]);
    hash.bytes(view, header.nameStart, header.nameEnd);
    hash.bytes(view, header.unitStart, header.unitEnd);
    this.#metricHigh = hash.high;
    this.#metricLow = hash.low;
  }

  /** Reads up to the end of the metric. Returns true before that if other requests have to be served first. */
  read(): boolean {
    const reader = this.#reader;
    for (;;) {
      if (this.#left <= 0) {
        this.#left = TURN;
        return true;
      }
      if (reader.at >= reader.end && !this.#nextPlace()) return false;
      if (reader.at >= reader.end) continue;
      const tag = reader.tag();
      if (tag !== POINTS) {
        // The header has read these fields.
        reader.skip(tag);
        continue;
      }
      this.#left -= 1;
      const outer = reader.enter();
      this.#readPoint();
      reader.leave(outer);
    }
  }

  series(part: SeriesPart, quantile?: number): SeriesRef | undefined {
    let high = this.#high;
    let low = this.#low;
    if (part !== 'whole') {
      const { hash } = this.#sink;
      extendHash(hash, high, low, PART_CODES[part]);
      if (quantile !== undefined) hash.text(String(quantile));
      high = hash.high;
      low = hash.low;
    }
    return this.#sink.find(high, low) ?? this.#add(high, low, part, quantile);
  }

  get example(): string {
    return exampleOf(this.#nameText, []);
  }

  get #nameText(): string {
    this.#name ??= this.#reader.text(this.#header.nameStart, this.#header.nameEnd);
    return this.#name;
  }

  #add(high: number, low: number, part: SeriesPart, quantile?: number): SeriesRef | undefined {
    const { unitStart, unitEnd } = this.#header;
    if (this.#resourceTexts === null) this.#resourceTexts = this.#resource.texts();
    const description = {
      name: this.#nameText,
      unit: this.#reader.text(unitStart, unitEnd),
      type: this.#type,
      labels: this.#attributes.texts(),
      resource: this.#resourceTexts,
    };
    const described = describePoint(description, part, quantile);
    if (!('reason' in described)) return this.#sink.add(high, low, described);
    this.refusal = described;
    return undefined;
  }

  /** Refuses all points of the metric. */
  #refuse(reason: 'unsupported_type' | 'invalid_name'): void {
    const { points, places, isHistogram } = this.#header;
    const example = refusalOf(reason, this.example);
    if (points > 0 && isHistogram) this.#sink.rejectHistograms(reason, points, example);
    else if (points > 0) this.#sink.reject(reason, points, example);
    places.clear();
  }

  #nextPlace(): boolean {
    const { places } = this.#header;
    if (this.#place >= places.count) return false;
    this.#reader.move(places.start(this.#place), places.end(this.#place));
    this.#place += 1;
    return true;
  }

  /** Reads the point to which reading is limited. */
  #readPoint(): void {
    const reader = this.#reader;
    const attributes = this.#attributes;
    const { hash } = this.#sink;
    const { kind } = this.#header;
    attributes.clear();
    extendHash(hash, this.#metricHigh, this.#metricLow, 0);
    if (kind === Kind.gauge || kind === Kind.sum) {
      const point = this.#number;
      point.read(reader, attributes, hash);
      this.#takeHash(point.exemplars);
      this.#emitter.number(this, point.time, point.start, point.flags, point.hasValue, point.value);
    } else if (kind === Kind.summary) {
      const point = this.#summary;
      point.read(reader, attributes, hash);
      this.#takeHash(0);
      this.#emitter.summary(this, point.time, point.start, point.flags, point.values);
    } else this.#readHistogram(kind === Kind.histogram);
  }

  #readHistogram(isExplicit: boolean): void {
    const point = this.#histogram;
    const { values } = point;
    if (isExplicit) point.readExplicit(this.#reader, this.#attributes, this.#sink.hash);
    else point.readExponential(this.#reader, this.#attributes, this.#sink.hash);
    this.#takeHash(point.exemplars);
    const histogram = isExplicit ? values.explicitPoint() : values.exponentialPoint();
    this.#emitter.histogram(this, point.time, point.start, point.flags, histogram);
  }

  #takeHash(exemplars: number): void {
    const { hash } = this.#sink;
    this.#high = hash.high;
    this.#low = hash.low;
    if (exemplars > 0) this.#sink.omit('exemplar', exemplars);
  }
}
