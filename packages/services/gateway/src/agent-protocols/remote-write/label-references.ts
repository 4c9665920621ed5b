import { extendHash } from '../points/extend-hash.ts';
import { exampleOf, MAX_LABELS } from '../points/label-list.ts';
import type { RefusedSeries } from '../points/refused-series.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import { BodyTooLargeError } from '../wire/body-too-large-error.ts';
import { knownFields, type ProtobufReader } from '../wire/protobuf-reader.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import { seriesTypeOf } from './metric-type.ts';
import type { SeriesRecall } from './series-recall.ts';
import { describeSeries, type SeriesSource, TOO_MANY_LABELS } from './series-source.ts';
import type { SymbolTable } from './symbol-table.ts';

const REFERENCE = 8;
const REFERENCES = 10;
const METADATA = 42;
const CREATED = 48;
const FIELDS = knownFields(1, 2, 3, 4, 5, 6);
const SAMPLES = 18;
const HISTOGRAMS = 26;
const EXEMPLARS = 34;
/** The max number of references that are read: of a series that has more, which is refused, the others need not be. */
const MAX_REFERENCES = 2 * MAX_LABELS + 1;

const NO_REFERENCES = new Uint32Array(0);

const METADATA_FIELDS = knownFields(1, 3, 4);

/**
 * The max bytes of labels and units of all series, counted as often as they are referred to: of a body with very many symbols, most
 * are hashed each time.
 */
const MAX_REFERRED_BYTES = 268_435_456;
/** The max bytes of the labels of a series: many may refer to the same long symbol. */
const MAX_LABEL_BYTES = 262_144;
const TOO_LONG_LABELS: RefusedSeries = {
  reason: 'invalid_labels',
  example: `a series with over ${MAX_LABEL_BYTES} bytes of labels`,
};

/** Ends the hashes of native histograms. */
const HISTOGRAM_CODE = 1;

/**
 * Finds series of remote write 2.0 by the bytes of the symbols that they refer to. For each series `recall`, `scan` if that returned
 * false, which needs the symbols, then the others.
 */
export class LabelReferences implements SeriesSource {
  refusal: RefusedSeries = TOO_MANY_LABELS;
  /** The time from which the series counts, ms since the epoch; 0 if it is not stated. */
  created = 0;
  readonly #reader: ProtobufReader;
  readonly #sink: PointSink;
  readonly #symbols: SymbolTable;
  readonly #recall: SeriesRecall | undefined;
  /** The series that `recall` found. */
  #found: SeriesRef | undefined;
  /** Allocated once a series is scanned: many bodies have none that is. */
  #references = NO_REFERENCES;
  /** How many references the series has, up to `MAX_REFERENCES`. */
  #count = 0;
  #type = 0;
  #unit = 0;
  #isComplete = true;
  #labelBytes = 0;
  #referredBytes = 0;
  #example: string | undefined;
  /** The hash of labels, type and unit. */
  #high = 0;
  #low = 0;

  constructor(
    reader: ProtobufReader,
    sink: PointSink,
    symbols: SymbolTable,
    recall: SeriesRecall | undefined,
  ) {
    this.#reader = reader;
    this.#sink = sink;
    this.#symbols = symbols;
    this.#recall = recall;
  }

  /** Finds the series as an earlier request found it, and moves to its first sample; returns whether it did. */
  recall(): boolean {
    const recall = this.#recall;
    this.#found = recall?.read() ? this.#sink.find(recall.high, recall.low) : undefined;
    if (recall === undefined || this.#found === undefined) return false;
    this.created = 0;
    this.#reader.move(recall.firstPoint, this.#reader.end);
    return true;
  }

  /** Reads the labels and metadata of the series to which reading is limited, and moves to its first point. */
  scan(): void {
    const reader = this.#reader;
    const { end } = reader;
    let firstPoint = end;
    if (this.#references === NO_REFERENCES) this.#references = new Uint32Array(MAX_REFERENCES);
    this.#clear();
    while (reader.at < end) {
      const at = reader.at;
      const tag = reader.tag();
      if (tag === REFERENCES) this.#readReferences();
      else if (tag === SAMPLES || tag === HISTOGRAMS || tag === EXEMPLARS) {
        reader.pass();
        if (at < firstPoint) firstPoint = at;
      } else if (tag === REFERENCE) this.#addReference(reader.uint32());
      else if (tag === METADATA) this.#readMetadata();
      else if (tag === CREATED) this.created = reader.int64();
      else reader.skip(tag, FIELDS);
    }
    reader.move(firstPoint, end);
    this.#computeHash();
    // What is recalled is not examined again.
    if (this.#isComplete && this.#labelBytes <= MAX_LABEL_BYTES && this.#symbols.areAllLeading)
      this.#recall?.remember(this.#high, this.#low);
  }

  series(isHistogram: boolean): SeriesRef | undefined {
    if (this.#found !== undefined) return this.#found;
    if (this.#count > 2 * MAX_LABELS) {
      this.refusal = TOO_MANY_LABELS;
      return undefined;
    }
    if (this.#labelBytes > MAX_LABEL_BYTES) {
      this.refusal = TOO_LONG_LABELS;
      return undefined;
    }
    if (!this.#isComplete || this.#count % 2 === 1) {
      this.refusal = { reason: 'invalid_labels', example: this.example };
      return undefined;
    }
    let high = this.#high;
    let low = this.#low;
    if (isHistogram) {
      // Native histograms are counters whatever metadata say, and stay the same series once there are any.
      const { hash } = this.#sink;
      this.#hashLabels(hash);
      extendHash(hash, hash.high, hash.low, HISTOGRAM_CODE);
      high = hash.high;
      low = hash.low;
    }
    return this.#sink.find(high, low) ?? this.#add(high, low, isHistogram);
  }

  get example(): string {
    this.#example ??=
      this.#labelBytes > MAX_LABEL_BYTES ? TOO_LONG_LABELS.example : exampleOf('', this.#texts());
    return this.#example;
  }

  #add(high: number, low: number, isHistogram: boolean): SeriesRef | undefined {
    const type = this.#type;
    const described = describeSeries(
      this.#texts(),
      (name) => (isHistogram ? 'counter' : seriesTypeOf(type, name)),
      this.#symbols.text(this.#unit),
    );
    if (!('reason' in described))
      return this.#sink.add(high, low, described, isHistogram ? undefined : this.#untyped());
    this.refusal = described;
    return undefined;
  }

  /** The series as it is known from before there was metadata of it; undefined if it is not. */
  #untyped(): SeriesRef | undefined {
    if (this.#type === 0 && this.#unit === 0) return undefined;
    const { hash } = this.#sink;
    this.#hashLabels(hash);
    hash.number(0);
    return this.#sink.find(hash.high, hash.low);
  }

  #clear(): void {
    this.created = 0;
    this.#count = 0;
    this.#type = 0;
    this.#unit = 0;
    this.#example = undefined;
  }

  #readReferences(): void {
    const reader = this.#reader;
    const outer = reader.enter();
    const { bytes, end } = reader;
    const references = this.#references;
    let { at } = reader;
    let count = this.#count;
    for (; at < end && count < MAX_REFERENCES; count += 1) {
      const byte = bytes[at] as number;
      const next = at + 1 < end ? (bytes[at + 1] as number) : 0xff;
      if (byte < 0x80) {
        references[count] = byte;
        at += 1;
      } else if (next < 0x80) {
        references[count] = (byte & 0x7f) | (next << 7);
        at += 2;
      } else {
        reader.move(at, end);
        references[count] = reader.uint32();
        at = reader.at;
      }
    }
    this.#count = count;
    reader.leave(outer);
  }

  #addReference(reference: number): void {
    if (this.#count === MAX_REFERENCES) return;
    this.#references[this.#count] = reference;
    this.#count += 1;
  }

  #readMetadata(): void {
    const reader = this.#reader;
    const outer = reader.enter();
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === 8) this.#type = reader.uint32();
      else if (tag === 24) reader.uint32();
      else if (tag === 32) this.#unit = reader.uint32();
      else reader.skip(tag, METADATA_FIELDS);
    }
    reader.leave(outer);
  }

  #computeHash(): void {
    const { hash } = this.#sink;
    const symbols = this.#symbols;
    this.#isComplete = this.#hashLabels(hash);
    hash.number(this.#type);
    if (this.#unit !== 0) {
      const length = symbols.lengthOf(this.#unit);
      if (length < 0) this.#isComplete = false;
      else this.#hashSymbol(hash, this.#unit, length);
    }
    this.#high = hash.high;
    this.#low = hash.low;
  }

  /** Begins a hash with the labels; returns whether all of their symbols were sent. */
  #hashLabels(hash: SeriesHash): boolean {
    const symbols = this.#symbols;
    const references = this.#references;
    const count = this.#count;
    hash.begin();
    const length = symbols.lengthOfKnown(references, count);
    if (length >= 0 && length <= MAX_LABEL_BYTES) {
      this.#labelBytes = length;
      this.#countReferred(length);
      symbols.addKnown(hash, references, count);
      return true;
    }
    return this.#hashEachLabel(hash);
  }

  #hashEachLabel(hash: SeriesHash): boolean {
    const symbols = this.#symbols;
    let isComplete = true;
    this.#labelBytes = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const reference = this.#references[index] as number;
      const length = symbols.lengthOf(reference);
      if (length < 0) {
        isComplete = false;
        continue;
      }
      this.#labelBytes += length;
      // Of labels that are too long no hash is needed.
      if (this.#labelBytes <= MAX_LABEL_BYTES) this.#hashSymbol(hash, reference, length);
    }
    return isComplete;
  }

  /** Adds a symbol, which was sent. */
  #hashSymbol(hash: SeriesHash, reference: number, length: number): void {
    this.#countReferred(length);
    this.#symbols.addTo(hash, reference);
  }

  #countReferred(length: number): void {
    this.#referredBytes += length;
    if (this.#referredBytes > MAX_REFERRED_BYTES)
      throw new BodyTooLargeError(
        `The labels of all series of a body may have ${MAX_REFERRED_BYTES} bytes, each time they are referred to.`,
      );
  }

  /** Names and values by turns, as they were sent. */
  #texts(): string[] {
    return Array.from(this.#references.subarray(0, this.#count), (reference) =>
      this.#symbols.text(reference),
    );
  }
}
