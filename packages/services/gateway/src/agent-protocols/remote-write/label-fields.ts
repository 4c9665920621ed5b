import { extendHash, TYPE_CODES } from '../points/extend-hash.ts';
import { exampleOf, MAX_LABELS } from '../points/label-list.ts';
import type { RefusedSeries } from '../points/refused-series.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import type { SeriesType } from '../series/sent-series.ts';
import { Places } from '../wire/places.ts';
import { knownFields, type ProtobufReader } from '../wire/protobuf-reader.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import type { MetricTypes } from './metric-types.ts';
import { describeSeries, type SeriesSource, TOO_MANY_LABELS } from './series-source.ts';

const LABELS = 10;
const SAMPLES = 18;
const FIELDS = knownFields(1, 2, 3, 4);
/** The tags of samples, exemplars and histograms. */
const POINTS = new Set([SAMPLES, 26, 34]);

const LABEL_FIELDS = knownFields(1, 2);
const NAME = 10;
const VALUE = 18;
/** What the label with the name of the metric begins with: its name, and the tag of its value. */
const NAME_OF_METRIC = Buffer.from('\n\b__name__\x12', 'latin1');

/** Ends the hashes of native histograms. */
const HISTOGRAM_CODE = 1;

/** How many labels are read before other requests are served, of a series that has too many. */
const TURN = 20_000;

/**
 * Finds series of remote write 1.0 by the bytes of their labels. For each series `begin`, then `scan` as long as it returns true, each
 * time after other requests were served; then the others.
 */
export class LabelFields implements SeriesSource {
  refusal: RefusedSeries = TOO_MANY_LABELS;
  readonly #reader: ProtobufReader;
  readonly #sink: PointSink;
  readonly #types: MetricTypes;
  /** Where labels of the series that follow each other lie: all of them, as senders write them. */
  readonly #runs = new Places();
  #count = 0;
  #example: string | undefined;
  #type: SeriesType = 'unknown';
  /** The hash of labels and type. */
  #high = 0;
  #low = 0;
  #firstPoint = 0;

  constructor(reader: ProtobufReader, sink: PointSink, types: MetricTypes) {
    this.#reader = reader;
    this.#sink = sink;
    this.#types = types;
  }

  /** Begins with the series to which reading is limited. */
  begin(): void {
    this.#firstPoint = this.#reader.end;
    this.#runs.clear();
    this.#count = 0;
    this.#type = 'unknown';
    this.#example = undefined;
  }

  /**
   * Reads the labels of the series, and moves to its first point. Returns true before that if other requests have to be served first,
   * which happens only once the labels are too many, so that their hash is not needed.
   */
  scan(): boolean {
    const reader = this.#reader;
    const { end } = reader;
    this.#scanShort();
    while (reader.at < end) {
      const at = reader.at;
      const tag = reader.tag();
      if (tag === LABELS) {
        this.#scanLabel(at);
        if (this.#count % TURN === 0) return true;
      } else if (POINTS.has(tag)) {
        reader.pass();
        if (at < this.#firstPoint) this.#firstPoint = at;
      } else reader.skip(tag, FIELDS);
    }
    reader.move(this.#firstPoint, end);
    const hash = this.#hashLabels();
    hash.number(TYPE_CODES[this.#type]);
    this.#high = hash.high;
    this.#low = hash.low;
    return false;
  }

  series(isHistogram: boolean): SeriesRef | undefined {
    if (this.#count > MAX_LABELS) {
      this.refusal = TOO_MANY_LABELS;
      return undefined;
    }
    let high = this.#high;
    let low = this.#low;
    if (isHistogram) {
      // Native histograms are counters whatever metadata say, and stay the same series once there are any.
      const hash = this.#hashLabels();
      extendHash(hash, hash.high, hash.low, HISTOGRAM_CODE);
      high = hash.high;
      low = hash.low;
    }
    return this.#sink.find(high, low) ?? this.#add(high, low, isHistogram);
  }

  get example(): string {
    this.#example ??= exampleOf('', this.#texts());
    return this.#example;
  }

  #add(high: number, low: number, isHistogram: boolean): SeriesRef | undefined {
    const type = isHistogram ? 'counter' : this.#type;
    const described = describeSeries(this.#texts(), () => type, '');
    if (!('reason' in described))
      return this.#sink.add(high, low, described, isHistogram ? undefined : this.#untyped());
    this.refusal = described;
    return undefined;
  }

  /** The series as it is known from before there was metadata of it; undefined if it is not. */
  #untyped(): SeriesRef | undefined {
    if (this.#type === 'unknown') return undefined;
    const hash = this.#hashLabels();
    hash.number(TYPE_CODES.unknown);
    return this.#sink.find(hash.high, hash.low);
  }

  /** Moves behind the labels and samples that the series begins with, as long as each has less than 128 bytes: mostly behind all. */
  #scanShort(): void {
    const reader = this.#reader;
    const { bytes, at: start, end } = reader;
    const withTypes = this.#types.size > 0;
    let at = start;
    let count = this.#count;
    while (at + 1 < end && bytes[at] === LABELS && count < MAX_LABELS) {
      const length = bytes[at + 1] as number;
      const next = at + 2 + length;
      if (length >= 0x80 || next > end) break;
      count += 1;
      if (withTypes && this.#isNameOfMetric(at + 2, next))
        this.#findType(at + 2 + NAME_OF_METRIC.length, next);
      at = next;
    }
    this.#count = count;
    if (at > start) this.#runs.add(start, at);
    const labelsEnd = at;
    while (at + 1 < end && bytes[at] === SAMPLES) {
      const length = bytes[at + 1] as number;
      const next = at + 2 + length;
      if (length >= 0x80 || next > end) break;
      at = next;
    }
    if (at > labelsEnd) this.#firstPoint = Math.min(this.#firstPoint, labelsEnd);
    reader.move(at, end);
  }

  /** A hash that begins with the labels, wherever they stand among points. */
  #hashLabels(): SeriesHash {
    const { hash } = this.#sink;
    const { bytes, view } = this.#reader;
    const runs = this.#runs;
    hash.begin();
    if (runs.count <= 1) hash.bytes(view, runs.start(0), runs.end(0));
    else {
      const pieces: Buffer[] = [];
      for (let index = 0; index < runs.count; index += 1)
        pieces.push(bytes.subarray(runs.start(index), runs.end(index)));
      const { buffer, byteOffset, length } = Buffer.concat(pieces);
      hash.bytes(new DataView(buffer, byteOffset, length), 0, length);
    }
    return hash;
  }

  /** Reads the label whose field begins at `start`. */
  #scanLabel(start: number): void {
    const reader = this.#reader;
    const outer = reader.enter();
    const { at, end } = reader;
    this.#count += 1;
    if (this.#count <= MAX_LABELS) {
      this.#runs.join(start, end);
      if (this.#types.size > 0 && this.#isNameOfMetric(at, end))
        this.#findType(at + NAME_OF_METRIC.length, end);
    }
    reader.move(end, outer);
  }

  #isNameOfMetric(start: number, end: number): boolean {
    const { bytes } = this.#reader;
    if (end - start <= NAME_OF_METRIC.length) return false;
    for (let at = 0; at < NAME_OF_METRIC.length; at += 1)
      if (bytes[start + at] !== NAME_OF_METRIC[at]) return false;
    return true;
  }

  /** Takes the type of the metric whose name is a field that begins at `at`. */
  #findType(at: number, end: number): void {
    const reader = this.#reader;
    reader.move(at, end);
    reader.enter();
    this.#type = this.#types.typeOf(reader.view, reader.at, reader.end);
  }

  /** Names and values by turns, as they were sent. */
  #texts(): string[] {
    const reader = this.#reader;
    const { at, end } = reader;
    const texts: string[] = [];
    for (let index = 0; index < this.#runs.count; index += 1) {
      reader.move(this.#runs.start(index), this.#runs.end(index));
      while (reader.at < reader.end) {
        reader.tag();
        const outer = reader.enter();
        this.#readLabel(texts);
        reader.leave(outer);
      }
    }
    reader.move(at, end);
    return texts;
  }

  /** Adds the name and value of the label to which reading is limited. */
  #readLabel(texts: string[]): void {
    const reader = this.#reader;
    let name = '';
    let value = '';
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag !== NAME && tag !== VALUE) {
        reader.skip(tag, LABEL_FIELDS);
        continue;
      }
      const outer = reader.enter();
      if (tag === NAME) name = reader.text(reader.at, reader.end);
      else value = reader.text(reader.at, reader.end);
      reader.leave(outer);
    }
    texts.push(name, value);
  }
}
