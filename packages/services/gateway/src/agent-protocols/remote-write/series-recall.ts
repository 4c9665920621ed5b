import type { ProtobufReader } from '../wire/protobuf-reader.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import type { SeriesOrder } from './series-orders.ts';

const REFERENCES = 10;
const SAMPLES = 18;
const METADATA = 42;

/**
 * Recalls by what series of a request are found, where an earlier request with the same symbols had the same series at the same
 * place. For each series `read`, and `remember` if that returned false.
 */
export class SeriesRecall {
  readonly #reader: ProtobufReader;
  readonly #hash: SeriesHash;
  readonly #order: SeriesOrder;
  #position = -1;
  #isUsual = false;
  #one = 0;
  #two = 0;
  /** Where the first sample of the series lies that `read` recalled. */
  firstPoint = 0;

  /** `hash` is this object's own. */
  constructor(reader: ProtobufReader, hash: SeriesHash, order: SeriesOrder) {
    this.#reader = reader;
    this.#hash = hash;
    this.#order = order;
  }

  get high(): number {
    return this.#order.high;
  }

  get low(): number {
    return this.#order.low;
  }

  /** Goes on to the series to which reading is limited. Returns whether it is recalled: `high` and `low` are its hash then. */
  read(): boolean {
    this.#position += 1;
    this.#isUsual = this.#hashUsual();
    return this.#isUsual && this.#order.find(this.#position, this.#one, this.#two);
  }

  /** Notes the hash by which the series is found. */
  remember(high: number, low: number): void {
    if (this.#isUsual) this.#order.set(this.#position, this.#one, this.#two, high, low);
  }

  /** Hashes what senders write before and behind the samples of a series. Returns false for a series of another form. */
  #hashUsual(): boolean {
    const { bytes, view, at: start, end } = this.#reader;
    if (end - start < 2 || bytes[start] !== REFERENCES || (bytes[start + 1] as number) >= 0x80) return false;
    this.firstPoint = start + 2 + (bytes[start + 1] as number);
    let at = this.firstPoint;
    while (at + 1 < end && bytes[at] === SAMPLES && (bytes[at + 1] as number) < 0x80)
      at += 2 + (bytes[at + 1] as number);
    const metadata = at;
    if (at + 1 < end && bytes[at] === METADATA && (bytes[at + 1] as number) < 0x80)
      at += 2 + (bytes[at + 1] as number);
    if (at !== end) return false;
    const hash = this.#hash;
    hash.begin();
    hash.bytes(view, start, this.firstPoint);
    hash.bytes(view, metadata, end);
    this.#one = hash.high;
    this.#two = hash.low;
    return true;
  }
}
