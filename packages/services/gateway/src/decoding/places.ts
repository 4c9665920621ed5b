import { BOUNDS } from '@tidewatch/contracts/ingest/sample';

const PLACES = Array.from({ length: BOUNDS.payloads }, (_, index) => `/${index}`);

/** The JSON Pointer of the payload at this position of a body. */
export function placeOf(index: number): string {
  return PLACES[index] ?? `/${index}`;
}

/** The JSON Pointers of the first `count` payloads. */
export function firstPlaces(count: number): string[] {
  return PLACES.slice(0, count);
}
