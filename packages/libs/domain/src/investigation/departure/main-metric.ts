import { type Departure, rangesWithoutFloor } from './departure.ts';

/** A metric may explain trouble in place of the one that left its history the furthest if it has more than this share of its score. */
const ALIKE = 0.5;

/** A metric of a host that left its history. */
export interface Departed {
  readonly departure: Departure;
  /** How much its departure counts, 0 to 1. */
  readonly score: number;
  /** Reads its values, from before the trouble and since; they are needed only where several metrics count about as much. */
  readonly values: () => Float64Array;
}

/**
 * Chooses by which of its metrics a host is suspected: of those with more than half of the largest score, the one that went furthest by its
 * own usual range, without a floor. With floors, nothing that rises can be further away than ten of them, and what was near zero
 * always is: processors that are hardly used would come before memory that never moves and doubles.
 */
export function mainMetric<D extends Departed>(all: readonly D[]): D | null {
  const most = Math.max(0, ...all.map(({ score }) => score));
  const alike = all.filter(({ score }) => score > ALIKE * most);
  if (alike.length < 2) return alike[0] ?? null;
  const distances = alike.map(rangesOfOwn);
  return alike[distances.indexOf(Math.max(...distances))] ?? null;
}

/** How far a metric left its usual range in widths of that range alone, 0 or more (`rangesWithoutFloor`). */
export function rangesOfOwn({ departure, values }: Pick<Departed, 'departure' | 'values'>): number {
  return Math.abs(rangesWithoutFloor(departure, values()) ?? departure.ranges);
}
