import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { processes } from '../detectors/uses.ts';
import { hostFacts, minutely, minutes, NOON, noise, snapshots, use } from '../testing/host-facts.ts';
import { jumpOf } from './jump.ts';
import { shiftOf } from './shift.ts';
import { suddenSymptomOf, symptomOf } from './symptom.ts';

const GIB = 2 ** 30;
/** Memory use that rises slowly for a quarter of an hour, until a program takes a third of the memory at once. */
const drifting = (ago: number) => 15 + Math.max(0, 15 - ago) + 0.5 * noise(ago);
const metric = minutely('memory_percent', 180, (ago) => drifting(ago) + (ago < 3 ? 35 : 0));
const noticedAt = NOON - 3 * MINUTE_MS;

it('the jump of a metric is reported with its size and its minute, in the spread of the hour before', () => {
  const jump = jumpOf(metric, noticedAt, 45, NOON);
  expect(jump).toMatchObject({ startedAt: noticedAt, shape: 'step' });
  expect(jump?.delta).toBeGreaterThan(33);
  expect(jump?.delta).toBeLessThan(40);
  expect(jump?.baseline.median).toBeGreaterThan(25);
  expect(jump?.baseline.median).toBeLessThan(29);
  expect(jump?.z).toBeGreaterThan(4);
});

it('no jump is found in a metric that only drifts, that fell, or that moved further without the jump', () => {
  const calm = minutely('memory_percent', 180, drifting);
  expect(jumpOf(calm, noticedAt, 15, NOON)).toBeNull();
  expect(jumpOf(metric, noticedAt, -45, NOON)).toBeNull();
  expect(jumpOf(metric, noticedAt, 100, NOON)).toBeNull();
  expect(jumpOf({ ...metric, history: minutes(3, drifting) }, noticedAt, 45, NOON)).toBeNull();
});

const facts = (snapshot: (ago: number) => ReturnType<typeof use>[], moved = metric) => {
  const { alert, ...rest } = hostFacts({
    metric: 'memory_percent',
    metrics: [moved],
    snapshots: snapshots(120, (ago) => ({ processes: snapshot(ago) })),
  });
  if (alert === null) throw new Error('there is an alert');
  return { ...rest, alert: { ...alert, pendingSince: noticedAt, firedAt: noticedAt } };
};

it('names the program of the jump before the one that grew all the while', () => {
  const found = processes.detect(
    facts((ago) => [
      use('cache', 10, GIB * (2 + 0.15 * Math.max(0, 15 - ago))),
      ...(ago < 3 ? [use('report', 5, 5.6 * GIB)] : []),
    ]),
  );
  expect(found.map(({ subject }) => subject.name)).toEqual(['report', 'cache']);
  expect(found[0]?.title).toBe('Process "report" appeared at 11:57 UTC and takes 5.6 GiB of memory');
  expect(found[0]?.score).toBeGreaterThan(0.7);
});

it('a second symptom is derived from a jump if the trouble began before the jump, but not if it began with it', () => {
  const twoSteps = minutely(
    'memory_percent',
    180,
    (ago) => 15 + (ago < 12 ? 30 : 0) + (ago < 3 ? 25 : 0) + 0.5 * noise(ago),
  );
  expect(suddenSymptomOf(facts(() => [], twoSteps))?.startedAt).toBe(noticedAt);
  expect(suddenSymptomOf(facts(() => []))).toBeNull();
  expect(suddenSymptomOf(hostFacts())).toBeNull();
});

it('a chosen window that begins with a jump is about that jump, and one that begins between jumps is not', () => {
  const twoSteps = minutely(
    'memory_percent',
    180,
    (ago) => 15 + (ago < 40 ? 30 : 0) + (ago < 20 ? 25 : 0) + 0.5 * noise(ago),
  );
  const asked = (minutesAgo: number) => ({
    ...facts(() => [], twoSteps),
    alert: null,
    from: NOON - minutesAgo * MINUTE_MS,
  });
  expect(suddenSymptomOf(asked(20))?.startedAt).toBe(NOON - 20 * MINUTE_MS);
  expect(suddenSymptomOf(asked(30))).toBeNull();
});

it.each([
  ['a jump', (ago: number) => (ago < 8 ? (ago >= 3 ? 45 : 0) : (ago - 8) % 9 >= 4 ? 40 : 0), 45],
  ['a fall', (ago: number) => (ago < 8 ? 0 : (ago - 8) % 9 < 5 ? 40 : 0), null],
])(
  '%s with which a chosen window begins, where earlier troubles hide it, has the size %s',
  (_, above, size) => {
    const restless = minutely('cpu_percent', 36, (ago) => 20 + above(ago) + 0.5 * noise(ago));
    const from = NOON - 8 * MINUTE_MS;
    const { shift, outlook } = symptomOf({ ...hostFacts({ metrics: [restless] }), alert: null, from });
    expect(shiftOf(restless, outlook)).toBeNull();
    if (size === null) expect(shift).toBeNull();
    else expect([shift?.startedAt, Math.round(shift?.delta ?? 0)]).toEqual([from, size]);
  },
);
