import { MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { ownDeparture } from './departure/departed-metrics.ts';
import type { Facts, MetricFacts } from './facts.ts';
import { inSteps } from './fleet/align-series.ts';
import { fittedToHistory } from './short-history.ts';
import { slice } from './statistics/slice.ts';
import { symptomOf } from './symptom/symptom.ts';
import { tooLittleHistory } from './symptom/too-little-history.ts';
import { hostFacts, NOON, noise, source } from './testing/host-facts.ts';

const EVERY = 5 * SECOND_MS;
const SLOW_SINCE = NOON - 2 * MINUTE_MS;

/** What is read of a host whose latency rose two minutes ago, of which so many minutes are known, for an alert that became pending a minute ago. */
function knownFor(minutes: number, given: Partial<Facts> = {}): Facts {
  const pendingSince = NOON - MINUTE_MS;
  const from = given.from ?? pendingSince - 30 * MINUTE_MS;
  const count = (minutes * MINUTE_MS) / EVERY;
  const times = Float64Array.from({ length: count }, (_, i) => NOON - (count - i) * EVERY);
  const values = times.map((time, i) => (time >= SLOW_SINCE ? 80 : 20) + noise(i));
  const samples = { times, values };
  const latency: MetricFacts = {
    subject: { kind: 'host', name: 'web-01' },
    metric: 'latency_ms',
    unit: null,
    history: inSteps(samples, MINUTE_MS),
    recent: slice(samples, from, NOON),
    before: slice(samples, from - 120 * MINUTE_MS, from),
    source: source('host:web-01/latency_ms'),
  };
  const facts = hostFacts({
    metric: 'latency_ms',
    metrics: [latency],
    from,
    to: NOON,
    intervalMs: EVERY,
    ...given,
  });
  return {
    ...facts,
    alert: facts.alert === null ? null : { ...facts.alert, pendingSince, firedAt: NOON - 1 },
  };
}

const historyOf = ({ metrics }: Facts) => metrics[0]?.history.times ?? new Float64Array();

describe('fittedToHistory', () => {
  it.each([3, 7, 20])(
    'lets the window of a host that is known for %d minutes begin amid what is known',
    (minutes) => {
      const fitted = fittedToHistory(knownFor(minutes));
      expect(fitted.from).toBe(NOON - MINUTE_MS - ((minutes - 1) * MINUTE_MS) / 2);
      const [latency] = fitted.metrics as [MetricFacts];
      expect(latency.before.times.at(-1)).toBeLessThan(fitted.from);
      expect(latency.recent.times[0]).toBeGreaterThanOrEqual(fitted.from);
      expect(latency.before.times.length + latency.recent.times.length).toBe((minutes * MINUTE_MS) / EVERY);
      expect(historyOf(fitted).length).toBeGreaterThan(minutes);
    },
  );

  it('shows a change of a metric that is known for minutes, when it was, and how far it left its history', () => {
    const plain = knownFor(5);
    expect(symptomOf(plain).shift).toBeNull();
    expect(tooLittleHistory(plain)).not.toBeNull();
    const fitted = fittedToHistory(plain);
    expect(tooLittleHistory(fitted)).toBeNull();
    const { shift, metric } = symptomOf(fitted);
    expect(Math.abs((shift?.startedAt ?? 0) - SLOW_SINCE)).toBeLessThanOrEqual(2 * EVERY);
    expect(shift?.score).toBeGreaterThan(0.9);
    expect(metric === null ? null : ownDeparture(metric, fitted)?.worse).toBeGreaterThan(5);
  });

  it('keeps minutes where half an hour is known, and the window where there is an hour', () => {
    const half = knownFor(40);
    expect(fittedToHistory(half).from).toBeGreaterThan(half.from);
    expect(historyOf(fittedToHistory(half))).toEqual(historyOf(half));
    const whole = knownFor(90);
    expect(fittedToHistory(whole)).toBe(whole);
  });

  it('keeps the window of a host whose first sample is in trouble, and of one that went silent', () => {
    const fresh = knownFor(1);
    expect(fittedToHistory(fresh)).toBe(fresh);
    const silent = knownFor(7);
    const noData = { ...silent, alert: silent.alert && { ...silent.alert, noData: true } };
    expect(fittedToHistory(noData).from).toBe(noData.from);
  });

  it('keeps a window that somebody chose unless nothing is known from before it', () => {
    const chosen = knownFor(5, { alert: null, from: SLOW_SINCE });
    const fitted = fittedToHistory(chosen);
    expect(fitted.from).toBe(SLOW_SINCE);
    expect(historyOf(fitted).length).toBeGreaterThan(historyOf(chosen).length);
    const hour = knownFor(6, { alert: null, from: NOON - 60 * MINUTE_MS });
    expect(fittedToHistory(hour).from).toBe(NOON - 3 * MINUTE_MS);
  });

  it('keeps what has no values', () => {
    const none = knownFor(0);
    expect(fittedToHistory(none)).toBe(none);
  });
});
