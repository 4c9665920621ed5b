import type { Scores } from './methods.ts';

/** The rank of the true cause in one case, as expected values, because equal scores count as randomly ordered. */
export interface Place {
  readonly top1: number;
  readonly top3: number;
  readonly reciprocal: number;
}

/** Returns the rank of `cause` among the hosts; a host without a score ranks below all hosts with one. */
export function placeOf(scores: Scores, cause: string, hosts: number): Place {
  const own = scores.get(cause);
  const all = [...scores.values()];
  const better = own === undefined ? scores.size : all.filter((score) => score > own).length;
  const ties =
    own === undefined ? Math.max(1, hosts - scores.size) : all.filter((score) => score === own).length;
  let reciprocal = 0;
  for (let nth = 1; nth <= ties; nth++) reciprocal += 1 / (better + nth) / ties;
  return {
    top1: better === 0 ? 1 / ties : 0,
    top3: Math.max(0, Math.min(ties, 3 - better)) / ties,
    reciprocal,
  };
}

export function meanPlace(places: readonly Place[]): Place {
  const mean = (of: (place: Place) => number) =>
    places.reduce((sum, place) => sum + of(place), 0) / places.length;
  return { top1: mean((p) => p.top1), top3: mean((p) => p.top3), reciprocal: mean((p) => p.reciprocal) };
}

/** The interval with the middle 95 % of bootstrapped means (Efron 1979). */
export function interval(values: readonly number[], next: () => number): [low: number, high: number] {
  const means = Array.from({ length: 2_000 }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(next() * values.length)] ?? 0;
    return sum / values.length;
  }).sort((a, b) => a - b);
  return [means[50] ?? Number.NaN, means[1_949] ?? Number.NaN];
}
