import { reasonResourceOf, worseOf } from '../metric-class.ts';

/** The max number of resources of another host that are compared, and of its other metrics, besides the investigated one. */
const MAX_OF_EACH = 3;

/** The minimum distance from the usual level, in multiples of the usual spread. */
const MIN_DISTANCE = 2;
/** The minimum spread of a nearly constant metric, as a part of its largest magnitude. */
const MIN_SPREAD = 0.01;

/** The usual mean and standard deviation of a metric by minute, and the largest and the smallest minute since. */
export interface MinuteLevels {
  readonly mean: number;
  readonly deviation: number;
  readonly max: number;
  readonly min: number;
}

/**
 * How far a metric went from its usual level in the direction in which it gets worse, in usual spreads; 0 for less than two. Two
 * minutes of history suffice, since this only chooses what is compared.
 */
export function distanceFromUsual(metric: string, { mean, deviation, max, min }: MinuteLevels): number {
  const magnitude = Math.max(Math.abs(mean), Math.abs(max), Math.abs(min));
  const scale = Math.max(deviation, MIN_SPREAD * magnitude, Number.MIN_VALUE);
  const direction = worseOf(metric);
  const above = direction === -1 ? 0 : (max - mean) / scale;
  const below = direction === 1 ? 0 : (mean - min) / scale;
  const distance = Math.max(above, below);
  return distance >= MIN_DISTANCE ? distance : 0;
}

/**
 * Chooses which metrics of another host are compared: the investigated one, and of its resources and of its other metrics
 * those that left their history the furthest.
 * @param distance how far a metric left its history; 0 if it did not
 */
export function comparedMetrics<M extends { readonly metric: string }>(
  all: readonly M[],
  investigated: string | null,
  distance: (metric: M) => number,
): M[] {
  const others = all.filter((one) => one.metric !== investigated && distance(one) > 0);
  const furthest = (isWanted: (one: M) => boolean) =>
    others
      .filter(isWanted)
      .sort((a, b) => distance(b) - distance(a))
      .slice(0, MAX_OF_EACH);
  return [
    ...all.filter(({ metric }) => metric === investigated),
    ...furthest(({ metric }) => reasonResourceOf(metric) !== null),
    ...furthest(({ metric }) => reasonResourceOf(metric) === null),
  ];
}
