/** How well an order of candidates finds the causes of one case; each from 0 to 1. */
export interface Hits {
  /** Whether the first candidate is a cause. */
  readonly top1: number;
  /** Whether a cause is among the first three. */
  readonly top3: number;
  /** The share of n causes that are among the first n candidates. */
  readonly firstN: number;
}

/** The candidates by falling score; equal scores stay in the given order, and candidates without a score come last. */
export function orderOf(candidates: readonly string[], scores: ReadonlyMap<string, number>): string[] {
  const score = (name: string) => scores.get(name) ?? Number.NEGATIVE_INFINITY;
  return candidates.toSorted((a, b) => (score(a) === score(b) ? 0 : score(b) - score(a)));
}

export function hitsOf(order: readonly string[], causes: ReadonlySet<string>): Hits {
  const among = (count: number) => order.slice(0, count).filter((name) => causes.has(name)).length;
  return {
    top1: among(1),
    top3: Math.min(1, among(3)),
    firstN: causes.size === 0 ? 0 : among(causes.size) / causes.size,
  };
}
