import type { SeriesType } from '../series/sent-series.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import { MetricType } from './metric-type.ts';

/** The max number of names that are kept, for an organization: some 2 MB. */
const MAX_NAMES = 20_000;
/** How many names are evicted at once: the search for the oldest one costs more, the more were evicted one by one. */
const EVICTED_NAMES = 1_000;

/**
 * What metadata of remote write 1.0 said of metrics, for one organization: Prometheus sends the types of metric families once a
 * minute, in requests of their own. Series that are decoded afterwards get the type of their name, also those that were known
 * before. The names with which metadata came last are kept, up to `MAX_NAMES`.
 */
export class MetricTypes {
  readonly #hash: SeriesHash;
  /** By the low half of the hash of a name's bytes. */
  readonly #types = new Map<number, SeriesType>();

  /** The hash is this object's own: using it ends what another had begun. */
  constructor(hash: SeriesHash) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#types.size;
  }

  /** Keeps the type, as the protocol numbers it, of the series of a family. A type that says nothing is forgotten. */
  learn(family: string, type: number): void {
    if (type === MetricType.counter) {
      this.#keep(family, 'counter');
      this.#keep(`${family}_total`, 'counter');
    } else if (type === MetricType.histogram || type === MetricType.summary) {
      this.#keep(family, type === MetricType.summary ? 'gauge' : 'counter');
      this.#keep(`${family}_sum`, 'counter');
      this.#keep(`${family}_count`, 'counter');
      if (type === MetricType.histogram) this.#keep(`${family}_bucket`, 'counter');
    } else this.#keep(family, type > MetricType.unknown && type <= MetricType.stateSet ? 'gauge' : 'unknown');
  }

  /** The type of the series whose name is the bytes from `start` up to `end`. */
  typeOf(bytes: DataView, start: number, end: number): SeriesType {
    return this.#types.get(this.#keyOf(bytes, start, end)) ?? 'unknown';
  }

  #keep(name: string, type: SeriesType): void {
    const { buffer, byteOffset, byteLength } = Buffer.from(name);
    const key = this.#keyOf(new DataView(buffer, byteOffset, byteLength), 0, byteLength);
    // Deleted first, so that what is set again is the last to be evicted.
    this.#types.delete(key);
    if (type === 'unknown') return;
    this.#types.set(key, type);
    if (this.#types.size <= MAX_NAMES) return;
    let left = EVICTED_NAMES;
    for (const oldest of this.#types.keys()) {
      this.#types.delete(oldest);
      left -= 1;
      if (left === 0) return;
    }
  }

  #keyOf(bytes: DataView, start: number, end: number): number {
    this.#hash.begin();
    this.#hash.bytes(bytes, start, end);
    return this.#hash.low;
  }
}
