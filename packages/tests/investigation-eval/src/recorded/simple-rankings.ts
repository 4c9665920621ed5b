import type { Candidate, Observed, Situation } from './candidates.ts';
import { correlationOf, deviationOf, meanOf, medianOf, quantileOf } from './statistics.ts';

/** The score of each candidate by name, higher for more suspicious ones; null if the ranking does not apply to the case. */
export type SimpleScores = ReadonlyMap<string, number> | null;

export interface SimpleRanking {
  readonly name: string;
  scores(situation: Situation): SimpleScores;
}

/** The min spread as a share of the level, so that metrics that hardly move have a finite score. */
const MIN_SPREAD_SHARE = 0.001;
const MAX_SCORE = 1e9;
/** The factor that makes the median absolute deviation of normal values their standard deviation. */
const MAD_TO_DEVIATION = 1.4826;

/** The largest distance from the median in median absolute deviations, or in standard deviations if those are zero. */
export function robustZ({ before, inside }: Observed): number {
  const middle = medianOf(before);
  return farthest(inside, middle, madOf(before, middle));
}

/** The largest distance from the mean in standard deviations. */
export function nSigma({ before, inside }: Observed): number {
  const mean = meanOf(before);
  return farthest(inside, mean, floored(deviationOf(before), mean));
}

/** The distance between the medians inside and before, in median absolute deviations. */
export function medianShift({ before, inside }: Observed): number {
  const middle = medianOf(before);
  return farthest([medianOf(inside)], middle, madOf(before, middle));
}

/**
 * BARO's hypothesis scorer (Pham, Ha and Zhang, FSE 2024): the largest distance from the median in interquartile ranges. A
 * range of zero counts as one, as in the scaler that they use.
 */
export function baroScore({ before, inside }: Observed): number {
  const range = quantileOf(before, 0.75) - quantileOf(before, 0.25);
  return farthest(inside, medianOf(before), range === 0 ? 1 : range);
}

/** The signed correlation of two metrics over the window; -1 with fewer than three common times. */
export function signedCorrelation(symptom: Observed, { inside, times }: Observed): number {
  const at = new Map(times.map((time, i) => [time, inside[i] as number]));
  const common = symptom.times.flatMap((time, i) => {
    const value = at.get(time);
    return value === undefined ? [] : [[symptom.inside[i] as number, value] as const];
  });
  return common.length < 3 ? -1 : correlationOf(common);
}

/** The alerting host first, all others tied. */
export function alertingHostFirst({ candidates, alertingHost }: Situation): SimpleScores {
  if (!candidates.some(({ name }) => name === alertingHost)) return null;
  return new Map(candidates.map(({ name }) => [name, name === alertingHost ? 1 : 0]));
}

/** The correlation of each host's metric of the same name as the symptom; hosts without it come last. */
export function correlationScores({
  candidates,
  symptom,
  symptomMetric,
  alertingHost,
}: Situation): SimpleScores {
  if (symptom === null || symptomMetric === null) return null;
  return new Map(
    candidates.map(({ name, metrics }) => {
      const same = metrics.get(symptomMetric);
      return [name, same === undefined || name === alertingHost ? -1 : signedCorrelation(symptom, same)];
    }),
  );
}

export const SIMPLE_RANKINGS: readonly SimpleRanking[] = [
  largest('robust z-score', robustZ),
  largest('N-sigma', nSigma),
  largest('shift of the median', medianShift),
  largest("BARO's scorer", baroScore),
  { name: 'signed correlation with the symptom', scores: correlationScores },
  { name: 'the alerting host first', scores: alertingHostFirst },
];

function largest(name: string, score: (observed: Observed) => number): SimpleRanking {
  const ofCandidate = ({ metrics }: Candidate) =>
    [...metrics.values()]
      .filter(({ before, inside }) => before.length > 0 && inside.length > 0)
      .reduce((most, observed) => Math.max(most, score(observed)), -1);
  return {
    name,
    scores: ({ candidates }) => new Map(candidates.map((each) => [each.name, ofCandidate(each)])),
  };
}

function madOf(values: readonly number[], middle: number): number {
  const mad = medianOf(values.map((value) => Math.abs(value - middle)));
  return floored(mad === 0 ? deviationOf(values) : MAD_TO_DEVIATION * mad, middle);
}

function floored(spread: number, level: number): number {
  return Math.max(spread, MIN_SPREAD_SHARE * Math.abs(level), Number.MIN_VALUE);
}

function farthest(values: readonly number[], middle: number, spread: number): number {
  return values.reduce(
    (most, value) => Math.max(most, Math.min(MAX_SCORE, Math.abs(value - middle) / spread)),
    0,
  );
}
