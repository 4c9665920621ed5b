import { expect, test } from 'vitest';
import type { Observed, Situation } from './candidates.ts';
import {
  alertingHostFirst,
  baroScore,
  correlationScores,
  medianShift,
  nSigma,
  robustZ,
  SIMPLE_RANKINGS,
  signedCorrelation,
} from './simple-rankings.ts';

const observed = (before: number[], inside: number[]): Observed => ({
  before,
  inside,
  times: inside.map((_, i) => i),
});

const situation: Situation = {
  candidates: [
    { name: 'web', metrics: new Map([['latency', observed([1, 2, 3], [2, 3, 4])]]) },
    { name: 'db', metrics: new Map([['latency', observed([1, 2, 3], [20, 30, 40])]]) },
    { name: 'cache', metrics: new Map([['hits', observed([], [1, 2, 3])]]) },
  ],
  alertingHost: 'web',
  symptom: observed([1, 2, 3], [2, 3, 4]),
  symptomMetric: 'latency',
};

test('the robust z-score is the largest distance from the median in scaled median absolute deviations', () => {
  expect(robustZ(observed([1, 2, 3, 4, 5], [4, -3]))).toBeCloseTo(6 / 1.4826);
});

test('the robust z-score uses the standard deviation where the median absolute deviation is zero', () => {
  expect(robustZ(observed([0, 0, 0, 4], [8]))).toBeCloseTo(8 / Math.sqrt(3));
});

test('a metric that was constant before has a finite robust z-score', () => {
  expect(robustZ(observed([10, 10, 10], [11]))).toBeCloseTo(100);
  expect(robustZ(observed([0, 0, 0], [1]))).toBe(1e9);
});

test('N-sigma is the largest distance from the mean in standard deviations', () => {
  expect(nSigma(observed([2, 4, 4, 4, 5, 5, 7, 9], [5, 11, 1]))).toBeCloseTo(3);
});

test('the shift of the median ignores a single outlier in the window', () => {
  expect(medianShift(observed([1, 2, 3, 4, 5], [3, 3, 1000]))).toBe(0);
  expect(medianShift(observed([1, 2, 3, 4, 5], [6, 6, 1000]))).toBeCloseTo(3 / 1.4826);
});

test("BARO's scorer is the largest distance from the median in interquartile ranges", () => {
  expect(baroScore(observed([1, 2, 3, 4, 5], [9, 0]))).toBe(3);
  expect(baroScore(observed([7, 7, 7], [9]))).toBe(2);
});

test('the correlation with the symptom keeps its sign and uses common times alone', () => {
  const symptom = observed([], [1, 2, 3]);
  expect(signedCorrelation(symptom, observed([], [3, 2, 1]))).toBeCloseTo(-1);
  expect(signedCorrelation(symptom, { before: [], inside: [5, 6, 7, 0], times: [0, 1, 2, 9] })).toBeCloseTo(
    1,
  );
  expect(signedCorrelation(symptom, observed([], [1, 2]))).toBe(-1);
});

test('hosts without the symptom, and the alerting host itself, have the lowest correlation', () => {
  const scores = correlationScores(situation);
  expect(scores?.get('db')).toBeCloseTo(1);
  expect(scores?.get('cache')).toBe(-1);
  expect(scores?.get('web')).toBe(-1);
  expect(correlationScores({ ...situation, symptom: null })).toBeNull();
});

test('the alerting host comes first, and nothing does if it is no candidate', () => {
  expect(alertingHostFirst(situation)?.get('web')).toBe(1);
  expect(alertingHostFirst(situation)?.get('db')).toBe(0);
  expect(alertingHostFirst({ ...situation, alertingHost: 'other' })).toBeNull();
});

test('every ranking by movement puts the host that moved most first, and one without history last', () => {
  for (const { name, scores } of SIMPLE_RANKINGS.slice(0, 4)) {
    const of = scores(situation) ?? new Map<string, number>();
    expect(of.get('db'), name).toBeGreaterThan(of.get('web') ?? Number.NaN);
    expect(of.get('cache'), name).toBe(-1);
  }
});
