import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SeriesHash } from '../wire/series-hash.ts';

const MAX_SEED = 2 ** 31;
/** What an order takes beside its series, estimated. */
const ORDER_BYTES = 250;
const NUMBERS = 4;
/** How many series of a request are noted: several times what senders put into one, and little memory for a body of very many. */
export const MAX_NOTED = 20_000;
const SERIES_BYTES = NUMBERS * Int32Array.BYTES_PER_ELEMENT;

/**
 * What series of requests with the same symbols are known by, in the order in which they were sent: 64 bits of a hash of how each
 * refers to symbols, and 64 bits of the hash by which the sink finds it.
 */
export class SeriesOrder {
  readonly symbolsHigh: number;
  readonly symbolsLow: number;
  #numbers = new Int32Array(0);
  /** The hash by which the sink finds the series that `find` found. */
  high = 0;
  low = 0;

  /** Takes the two parts of the hash of the symbols. */
  constructor(symbolsHigh: number, symbolsLow: number) {
    this.symbolsHigh = symbolsHigh;
    this.symbolsLow = symbolsLow;
  }

  get bytes(): number {
    return ORDER_BYTES + this.#numbers.byteLength;
  }

  /** Whether the series at this position refers to symbols as these 64 bits say; sets `high` and `low` then. */
  find(position: number, one: number, two: number): boolean {
    const numbers = this.#numbers;
    const at = NUMBERS * position;
    if (at >= numbers.length || numbers[at] !== one || numbers[at + 1] !== (two | 0)) return false;
    this.high = numbers[at + 2] as number;
    this.low = numbers[at + 3] as number;
    return true;
  }

  /** Notes what the series at this position is known by, unless it lies behind `MAX_NOTED` others. */
  set(position: number, one: number, two: number, high: number, low: number): void {
    if (position >= MAX_NOTED) return;
    const at = NUMBERS * position;
    if (at >= this.#numbers.length) {
      const larger = new Int32Array(NUMBERS * Math.max(position + 1, Math.ceil(position * 1.25)));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.set([one, two, high, low], at);
  }
}

/**
 * The orders of series of senders whose requests have the same symbols each time, as agents have that send what they gather on one
 * host. The least recently used ones are dropped. What is found here has been computed before: nothing depends on it but time.
 */
export class SeriesOrders {
  readonly #hash = new SeriesHash([randomInt(MAX_SEED), randomInt(MAX_SEED)]);
  /** By 52 bits of the hash of an organization's symbols; without series for symbols that were sent once. */
  readonly #orders: LRUCache<number, SeriesOrder>;

  /** `maxSeries` is how many series all orders have together at most. */
  constructor(maxSeries: number) {
    this.#orders = new LRUCache({ maxSize: SERIES_BYTES * maxSeries });
  }

  /** A hash for the series of an organization, which has its own symbols. */
  hashOf(organizationId: string): SeriesHash {
    return this.#hash.of(organizationId);
  }

  /** The order of series that belongs to symbols with this hash; undefined if they are sent for the first time. */
  of(high: number, low: number): SeriesOrder | undefined {
    const order = this.#orders.get(low);
    if (order?.symbolsHigh === high) return order;
    // A large installation of Prometheus hardly ever sends the same symbols twice: its orders are not noted.
    this.keep(new SeriesOrder(high, low));
    return undefined;
  }

  /** Keeps an order for the next request with the same symbols. */
  keep(order: SeriesOrder): void {
    this.#orders.set(order.symbolsLow, order, { size: order.bytes });
  }
}
