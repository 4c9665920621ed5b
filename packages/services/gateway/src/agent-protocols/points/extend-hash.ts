import type { SeriesType } from '../series/sent-series.ts';
import type { SeriesHash } from '../wire/series-hash.ts';

/** A hash takes 32 bits of a number, so that longer numbers are added in two parts. */
const SPLIT = 2 ** 21;

/** Codes of the types, for hashes. */
export const TYPE_CODES: Record<SeriesType, number> = { unknown: 0, gauge: 1, counter: 2, delta: 3 };

/** Begins a hash with one that was computed before, and adds a number. */
export function extendHash(hash: SeriesHash, high: number, low: number, added: number): void {
  hash.begin();
  hash.number(high);
  hash.number(Math.floor(high / SPLIT));
  hash.number(low);
  hash.number(Math.floor(low / SPLIT));
  hash.number(added);
}
