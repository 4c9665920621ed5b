import {
  type ExponentialHistogram,
  MAX_BUCKETS,
  toExplicitBounds,
  withoutBuckets,
} from '../points/exponential-buckets.ts';
import { NumberList } from '../points/number-list.ts';
import { isStaleMarker } from '../points/value-point.ts';
import type { HistogramPoint } from '../series/sent-series.ts';
import { knownFields, type ProtobufReader } from '../wire/protobuf-reader.ts';

/** The schema of histograms that state their bounds. */
const CUSTOM_BOUNDS = -53;
const GAUGE = 3;

const SPAN_FIELDS = knownFields(1, 2);
const FIELDS = knownFields(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);

/** One side of a histogram: spans of indexes, and the counts of their buckets in either of two forms. */
class Buckets {
  /** Offsets and lengths by turns. */
  readonly spans = new NumberList(4 * MAX_BUCKETS);
  readonly deltas = new NumberList(MAX_BUCKETS);
  readonly counts = new NumberList(MAX_BUCKETS);

  clear(): void {
    this.spans.clear();
    this.deltas.clear();
    this.counts.clear();
  }

  addSpan(reader: ProtobufReader): void {
    const outer = reader.enter();
    let offset = 0;
    let length = 0;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === 8) offset = reader.sint32();
      else if (tag === 16) length = reader.uint32();
      else reader.skip(tag, SPAN_FIELDS);
    }
    reader.leave(outer);
    this.spans.add(offset);
    this.spans.add(length);
  }

  /** Whether there are few enough to be kept. */
  get isWhole(): boolean {
    return this.spans.isWhole && this.deltas.isWhole && this.counts.isWhole;
  }

  /** Indexes and counts by turns; undefined if spans and counts do not match or a count is negative. Needs `isWhole`. */
  list(): number[] | undefined {
    const counts = this.counts.length > 0 ? this.counts.values : sumsOf(this.deltas.values);
    const spans = this.spans.values;
    // Allocated in its final length: an array that grows keeps spare room, and thousands of these are held at once.
    const buckets = new Array<number>(2 * counts.length);
    let index = 0;
    let used = 0;
    for (let at = 0; at < spans.length; at += 2) {
      if (at > 0 && (spans[at] as number) < 0) return undefined;
      index += spans[at] as number;
      const length = spans[at + 1] as number;
      if (length > counts.length - used) return undefined;
      for (const end = index + length; index < end; index += 1) {
        const count = counts[used] as number;
        if (!(count >= 0)) return undefined;
        buckets[2 * used] = index;
        buckets[2 * used + 1] = count;
        used += 1;
      }
    }
    return used === counts.length ? buckets : undefined;
  }
}

function sumsOf(deltas: readonly number[]): number[] {
  let sum = 0;
  return deltas.map((delta) => {
    sum += delta;
    return sum;
  });
}

/** How many values are in buckets, given as indexes and counts by turns. */
function countOf(buckets: readonly number[]): number {
  let total = 0;
  for (let at = 1; at < buckets.length; at += 2) total += buckets[at] as number;
  return total;
}

/** The bounds of each power: those of Prometheus are numbered by their upper bound, ours by the lower one. */
function byLowerBound(buckets: readonly number[]): number[] {
  return buckets.map((value, at) => (at % 2 === 0 ? value - 1 : value));
}

/** Reads native histograms, one after the other; the fields are those of the histogram that was read last. */
export class NativeHistogram {
  /** Ms since the epoch. */
  time = 0;
  start = 0;
  isStale = false;
  #hint = 0;
  #count = 0;
  /** Whether its counts are integers, which are exact. */
  #isExact = false;
  #sum = 0;
  #schema = 0;
  #zeroThreshold = 0;
  #zeroCount = 0;
  readonly #positive = new Buckets();
  readonly #negative = new Buckets();
  readonly #bounds = new NumberList(MAX_BUCKETS);

  /** Reads a message whose length is next. */
  read(reader: ProtobufReader, created: number): void {
    this.#clear(created);
    const outer = reader.enter();
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (!this.#readNumber(reader, tag)) this.#readBuckets(reader, tag);
    }
    reader.leave(outer);
  }

  /** Whether it says what is, and not what was counted. */
  get isGauge(): boolean {
    return this.#hint === GAUGE;
  }

  /** The point; undefined if it contradicts itself. */
  point(): HistogramPoint | undefined {
    const count = this.#count;
    if (!(count >= 0 && this.#zeroCount >= 0 && this.#zeroThreshold >= 0)) return undefined;
    const sum = Number.isFinite(this.#sum) ? this.#sum : undefined;
    if (!this.#positive.isWhole || !this.#negative.isWhole) return withoutBuckets(count, sum);
    const positive = this.#positive.list();
    const negative = this.#negative.list();
    if (positive === undefined || negative === undefined) return undefined;
    if (!this.#isCountedRight(positive, negative)) return undefined;
    if (this.#schema === CUSTOM_BOUNDS) return this.#customPoint(positive, sum);
    const histogram: ExponentialHistogram = {
      count,
      sum,
      scale: this.#schema,
      zeroThreshold: this.#zeroThreshold,
      zeroCount: this.#zeroCount,
      positive: byLowerBound(positive),
      negative: byLowerBound(negative),
    };
    return toExplicitBounds(histogram);
  }

  /** Whether the buckets hold what was counted. Values that are NaN are in no bucket, and make the sum NaN. */
  #isCountedRight(positive: readonly number[], negative: readonly number[]): boolean {
    if (!this.#isExact || !Number.isSafeInteger(this.#count)) return true;
    const total = this.#zeroCount + countOf(positive) + countOf(negative);
    return Number.isNaN(this.#sum) ? total <= this.#count : total === this.#count;
  }

  #customPoint(buckets: readonly number[], sum: number | undefined): HistogramPoint | undefined {
    if (!this.#bounds.isAscending) return undefined;
    if (!this.#bounds.isWhole) return withoutBuckets(this.#count, sum);
    const bounds = this.#bounds.values;
    const counts = new Array<number>(bounds.length + 1).fill(0);
    for (let at = 0; at < buckets.length; at += 2) {
      const index = buckets[at] as number;
      if (index < 0 || index >= counts.length) return undefined;
      counts[index] = buckets[at + 1] as number;
    }
    return bounds.length === 0
      ? withoutBuckets(this.#count, sum)
      : { count: this.#count, sum, bounds, counts };
  }

  #clear(created: number): void {
    this.time = 0;
    this.start = created;
    this.isStale = false;
    this.#hint = 0;
    this.#count = 0;
    this.#isExact = false;
    this.#sum = 0;
    this.#schema = 0;
    this.#zeroThreshold = 0;
    this.#zeroCount = 0;
    this.#positive.clear();
    this.#negative.clear();
    this.#bounds.clear();
  }

  #readNumber(reader: ProtobufReader, tag: number): boolean {
    if (tag === 8) {
      this.#count = reader.varint();
      this.#isExact = true;
    } else if (tag === 17) this.#count = reader.double();
    else if (tag === 25) {
      this.#sum = reader.double();
      this.isStale = isStaleMarker(reader.bytes, reader.at - 8);
    } else if (tag === 32) this.#schema = reader.sint32();
    else if (tag === 41) this.#zeroThreshold = reader.double();
    else if (tag === 48) this.#zeroCount = reader.varint();
    else if (tag === 57) this.#zeroCount = reader.double();
    else if (tag === 112) this.#hint = reader.uint32();
    else if (tag === 120) this.time = reader.int64();
    else if (tag === 136) this.start = reader.int64();
    else return false;
    return true;
  }

  #readBuckets(reader: ProtobufReader, tag: number): void {
    if (tag === 66) this.#negative.addSpan(reader);
    else if (tag === 72) this.#negative.deltas.add(reader.sint64());
    else if (tag === 74) this.#negative.deltas.addSint64(reader);
    else if (tag === 81) this.#negative.counts.add(reader.double());
    else if (tag === 82) this.#negative.counts.addDoubles(reader);
    else if (tag === 90) this.#positive.addSpan(reader);
    else if (tag === 96) this.#positive.deltas.add(reader.sint64());
    else if (tag === 98) this.#positive.deltas.addSint64(reader);
    else if (tag === 105) this.#positive.counts.add(reader.double());
    else if (tag === 106) this.#positive.counts.addDoubles(reader);
    else if (tag === 129) this.#bounds.add(reader.double());
    else if (tag === 130) this.#bounds.addDoubles(reader);
    else reader.skip(tag, FIELDS);
  }
}
