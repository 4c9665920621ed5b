import { reasonResourceOf } from '../metric-class.ts';

/** The max number of resources of another host that are compared, and of its other metrics, besides the investigated one. */
const MAX_OF_EACH = 3;

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
