import type { SeriesType } from '../../series/sent-series.ts';
import { Places } from '../../wire/places.ts';
import { knownFields, type ProtobufReader } from '../../wire/protobuf-reader.ts';
import { histogramType, sumType } from '../aggregation.ts';
import { addPlace } from './add-place.ts';

const NAME = 10;
const DESCRIPTION = 18;
const UNIT = 26;
const METADATA = 98;
const FIELDS = knownFields(1, 2, 3, 5, 7, 9, 10, 11, 12);

/** Kinds of metrics by the tag of the field that holds their points. */
export const Kind = {
  none: 0,
  gauge: 42,
  sum: 58,
  histogram: 74,
  exponentialHistogram: 82,
  summary: 90,
} as const;
const KINDS: ReadonlySet<number> = new Set([42, 58, 74, 82, 90]);

const POINTS = 10;
const TEMPORALITY = 16;
const IS_MONOTONIC = 24;

/** What a metric says besides its points; fields may stand anywhere in it. */
export class MetricHeader {
  kind = 0;
  nameStart = 0;
  nameEnd = 0;
  unitStart = 0;
  unitEnd = 0;
  /** Where messages with points lie: one, unless a sender divides them. */
  readonly places = new Places();
  points = 0;
  #temporality = 0;
  #isMonotonic = false;

  /** Reads the metric to which reading is limited, up to its end. */
  read(reader: ProtobufReader): void {
    this.#clear();
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (KINDS.has(tag)) this.#addPlace(reader, tag);
      else if (tag === NAME || tag === UNIT) this.#readText(reader, tag);
      else if (tag === DESCRIPTION || tag === METADATA) reader.pass();
      else reader.skip(tag, FIELDS);
    }
    const { at, end } = reader;
    for (let index = 0; index < this.places.count; index += 1) {
      reader.move(this.places.start(index), this.places.end(index));
      this.#readAggregation(reader);
    }
    reader.move(at, end);
  }

  /** Whether its points are histograms. */
  get isHistogram(): boolean {
    return this.kind === Kind.histogram || this.kind === Kind.exponentialHistogram;
  }

  /** The type of its series; undefined if it is one that cannot be stored. Summaries are divided into series with types of their own. */
  get type(): SeriesType | undefined {
    if (this.kind === Kind.sum) return sumType(this.#temporality, this.#isMonotonic);
    return this.isHistogram ? histogramType(this.#temporality) : 'gauge';
  }

  #clear(): void {
    this.kind = Kind.none;
    this.nameStart = 0;
    this.nameEnd = 0;
    this.unitStart = 0;
    this.unitEnd = 0;
    this.places.clear();
    this.points = 0;
    this.#temporality = 0;
    this.#isMonotonic = false;
  }

  /** Messages of one kind are joined; of two kinds, the last one counts. */
  #addPlace(reader: ProtobufReader, tag: number): void {
    if (this.kind !== tag) this.places.clear();
    this.kind = tag;
    addPlace(reader, this.places);
  }

  #readText(reader: ProtobufReader, tag: number): void {
    const outer = reader.enter();
    if (tag === NAME) {
      this.nameStart = reader.at;
      this.nameEnd = reader.end;
    } else {
      this.unitStart = reader.at;
      this.unitEnd = reader.end;
    }
    reader.leave(outer);
  }

  #readAggregation(reader: ProtobufReader): void {
    const hasTemporality = this.kind === Kind.sum || this.isHistogram;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === POINTS) {
        this.points += 1;
        reader.pass();
      } else if (tag === TEMPORALITY && hasTemporality) this.#temporality = reader.uint32();
      else if (tag === IS_MONOTONIC && this.kind === Kind.sum) this.#isMonotonic = reader.bool();
      else reader.skip(tag, this.#known);
    }
  }

  get #known(): number {
    if (this.kind === Kind.sum) return knownFields(1, 2, 3);
    return this.isHistogram ? knownFields(1, 2) : knownFields(1);
  }
}
