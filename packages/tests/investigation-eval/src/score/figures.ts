import type { Outcome } from './outcome.ts';

export interface Figures {
  readonly incidents: number;
  /**
   * The shares of incidents with a cause for which the cause is ranked first, or among the first three; NaN if there are
   * none.
   */
  readonly top1: number;
  readonly top3: number;
  readonly mrr: number;
  /** The share of all incidents for which a cause was named. */
  readonly found: number;
  /** The share of all incidents for which a wrong cause was named. */
  readonly wrong: number;
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const known = outcomes.filter(({ hasCause }) => hasCause);
  return {
    incidents: outcomes.length,
    top1: share(known, ({ place }) => place === 1),
    top3: share(known, ({ place }) => place !== null && place <= 3),
    mrr: known.reduce((sum, { place }) => sum + (place === null ? 0 : 1 / place), 0) / known.length,
    found: share(outcomes, ({ found }) => found),
    wrong: share(outcomes, ({ found, foundRightly }) => found && !foundRightly),
  };
}

export interface AloneFigures {
  readonly detector: string;
  readonly top1: number;
  readonly top3: number;
}

/** For each detector alone: how often its first finding, or one of its first three, is the cause. */
export function aloneFigures(outcomes: readonly Outcome[]): AloneFigures[] {
  const known = outcomes.filter(({ hasCause }) => hasCause);
  const detectors = [...new Set(known.flatMap(({ alone }) => [...alone.keys()]))];
  return detectors.map((detector) => ({
    detector,
    top1: share(known, ({ alone }) => alone.get(detector) === 1),
    top3: share(known, ({ alone }) => (alone.get(detector) ?? 9) <= 3),
  }));
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The mean score of the first findings in this bin; `was` is the share of them that were the cause. */
  readonly said: number;
  readonly was: number;
}

/** How often the first finding is the cause, by its score, in ten bins of equal width. */
export function reliability(outcomes: readonly Outcome[]): Bin[] {
  return Array.from({ length: 10 }, (_, nth) => {
    const inside = outcomes.flatMap(({ first }) =>
      first !== null && Math.min(9, Math.floor(first.score * 10)) === nth ? [first] : [],
    );
    return {
      from: nth / 10,
      to: (nth + 1) / 10,
      count: inside.length,
      said: inside.reduce((sum, { score }) => sum + score, 0) / inside.length,
      was: share(inside, ({ hit }) => hit),
    };
  });
}

/** The Brier score (1950): the mean squared difference between the scores of first findings and the truth. */
export function brier(outcomes: readonly Outcome[]): number {
  const firsts = outcomes.flatMap(({ first }) => (first === null ? [] : [first]));
  return firsts.reduce((sum, { score, hit }) => sum + (score - (hit ? 1 : 0)) ** 2, 0) / firsts.length;
}

/**
 * The calibration error: the mean difference between scores and actual shares of the bins, weighted by the size of each
 * bin.
 */
export function calibrationError(bins: readonly Bin[]): number {
  const filled = bins.filter(({ count }) => count > 0);
  const total = filled.reduce((sum, { count }) => sum + count, 0);
  return filled.reduce((sum, { said, was, count }) => sum + (count / total) * Math.abs(said - was), 0);
}

function share<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return values.filter(holds).length / values.length;
}
