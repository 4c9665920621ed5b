import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import type { Outlook } from '../outlook.ts';
import { minutely, NOON, noise } from '../testing/host-facts.ts';
import { shiftOf } from './shift.ts';

const outlook: Outlook = { to: NOON, doubtFrom: NOON - 25 * MINUTE_MS };
const cpu = (value: (ago: number) => number, count = 1_440) => minutely('cpu_percent', count, value);

it('a step is found with its size and its minute', () => {
  const shift = shiftOf(
    cpu((ago) => (ago < 10 ? 90 : 20) + 2 * noise(ago)),
    outlook,
  );
  expect(shift).toMatchObject({ shape: 'step', startedAt: NOON - 10 * MINUTE_MS, usualAtThisTime: false });
  expect(shift?.delta).toBeCloseTo(70, -0.5);
  expect(shift?.z).toBeGreaterThan(30);
  expect(shift?.baseline.median).toBeCloseTo(20, -0.5);
  expect(shift?.observed.count).toBe(10);
});

it('samples give the second in which the shift began', () => {
  const step = NOON - 3 * MINUTE_MS + 17_000;
  const metric = cpu((ago) => (ago < 3 ? 90 : 20) + noise(ago));
  const times = Float64Array.from({ length: 400 }, (_, i) => NOON - (400 - i) * 1_000);
  const values = times.map((time, i) => (time >= step ? 90 : 20) + noise(i));
  expect(shiftOf({ ...metric, recent: { times, values } }, outlook)?.startedAt).toBe(step);
});

it('a step in a minute that is not over is detected in its samples', () => {
  const metric = cpu((ago) => (ago < 1 ? 36 : 4) + noise(ago), 8);
  const times = Float64Array.from({ length: 48 }, (_, i) => NOON - (48 - i) * 10_000);
  const values = times.map((time, i) => (time >= NOON - 20_000 ? 99 : 4) + noise(i));
  const early: Outlook = { ...outlook, noticedAt: NOON - 20_000 };
  expect(shiftOf(metric, early)?.delta).toBeLessThan(40);
  const shift = shiftOf({ ...metric, recent: { times, values } }, early);
  expect(shift?.startedAt).toBe(NOON - 20_000);
  expect(shift?.delta).toBeGreaterThan(90);
  expect(shift?.score).toBeGreaterThan(0.9);
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])('noise alone is no shift, by seed %i', (seed) => {
  const shift = shiftOf(
    cpu((ago) => 20 + 3 * noise(ago, seed) + 2 * Math.sin(ago / 30 + seed)),
    outlook,
  );
  expect(shift?.score ?? 0).toBeLessThan(0.25);
});

it('a daily rhythm is no shift', () => {
  const shift = shiftOf(
    cpu((ago) => 30 + 15 * Math.sin((2 * Math.PI * ago) / 1_440) + noise(ago), 2_880),
    outlook,
  );
  expect(shift?.score ?? 0).toBeLessThan(0.25);
});

it('a tiny change of a constant metric is no shift', () => {
  expect(
    shiftOf(
      cpu((ago) => (ago < 10 ? 0.4 : 0)),
      outlook,
    )?.score ?? 0,
  ).toBeLessThan(0.05);
  expect(
    shiftOf(
      cpu((ago) => (ago < 10 ? 30 : 0)),
      outlook,
    )?.score,
  ).toBeGreaterThan(0.9);
});

it('a climb is distinguished from a step, with the minute in which it left its level', () => {
  const shift = shiftOf(
    cpu((ago) => 40 + Math.max(0, 50 - ago) + 0.5 * noise(ago), 190),
    outlook,
  );
  expect(shift?.shape).toBe('ramp');
  expect(Math.abs((shift?.startedAt ?? 0) - (NOON - 50 * MINUTE_MS))).toBeLessThan(10 * MINUTE_MS);
});

it('a climb over hours is found even if each hour resembles the one before', () => {
  const shift = shiftOf(
    cpu((ago) => 40 + Math.max(0, 400 - ago) / 8 + noise(ago)),
    outlook,
  );
  expect(shift?.shape).toBe('ramp');
  expect(shift?.score).toBeGreaterThan(0.8);
});

it('a shift has a lower score if the metric was as high a day ago at the same time', () => {
  const daily = shiftOf(
    cpu((ago) => (ago % 1_440 < 20 ? 80 : 20) + noise(ago), 2_880),
    outlook,
  );
  const once = shiftOf(
    cpu((ago) => (ago < 20 ? 80 : 20) + noise(ago), 2_880),
    outlook,
  );
  expect(daily?.usualAtThisTime).toBe(true);
  expect(daily?.score).toBeLessThan(once?.score ?? 0);
});

it('a metric without a past has no shift', () => {
  expect(
    shiftOf(
      cpu(() => 1, 3),
      outlook,
    ),
  ).toBeNull();
  expect(
    shiftOf(
      cpu(() => 1, 0),
      outlook,
    ),
  ).toBeNull();
});

it('a host that is known for ten minutes is compared with those minutes', () => {
  const early: Outlook = { ...outlook, noticedAt: NOON - 3 * MINUTE_MS };
  const restless = (ago: number) => 16 + 4 * noise(ago);
  const full = shiftOf(
    cpu((ago) => (ago < 3 ? 52 : restless(ago)), 12),
    early,
  );
  expect(full?.score).toBeGreaterThan(0.5);
  expect(shiftOf(cpu(restless, 12), early)?.score ?? 0).toBeLessThan(0.25);
  expect(
    shiftOf(
      cpu((ago) => (ago < 3 ? 52 : 16), 6),
      early,
    ),
  ).toBeNull();
});

it('a few minutes of varying memory use suffice to detect a process that takes all memory', () => {
  const means = [10, 13, 13, 13, 12, 13, 16, 17, 15, 15, 20, 14, 12, 16, 13, 36, 41];
  const metric = minutely('memory_percent', means.length, (ago) => means.at(-1 - ago) ?? 0);
  const shift = shiftOf(metric, { to: NOON, doubtFrom: NOON - 16 * MINUTE_MS, noticedAt: NOON - MINUTE_MS });
  expect(shift?.startedAt).toBe(NOON - 2 * MINUTE_MS);
  expect(shift?.score).toBeGreaterThan(0.35);
});

it.each([
  [
    'memory that climbs for all 35 minutes that are known',
    'memory_percent',
    35,
    (ago: number) => 80 - ago,
    35,
  ],
  ['free space that falls for an hour', 'disk_free_bytes', 60, (ago: number) => 1e9 + ago * 1e7, 60],
])('%s is a climb that began with the first value', (_, name, count, value, since) => {
  const shift = shiftOf(
    minutely(name, count, (ago) => value(ago) * (1 + 0.001 * noise(ago))),
    outlook,
  );
  expect(shift).toMatchObject({ shape: 'ramp', startedAt: NOON - since * MINUTE_MS });
  expect(shift?.score).toBeGreaterThan(0.9);
});

it.each([
  ['memory that falls', 'memory_percent', 35, (ago: number) => 40 + ago],
  ['a processor that is used more and more, as in the morning', 'cpu_percent', 35, (ago: number) => 80 - ago],
  ['memory of which ten minutes are known', 'memory_percent', 10, (ago: number) => 80 - ago],
  [
    'memory that wavers as much as it climbs',
    'memory_percent',
    35,
    (ago: number) => 50 - 0.1 * ago + 4 * noise(ago),
  ],
])('%s is no climb from the first value on', (_, name, count, value) => {
  const shift = shiftOf(minutely(name, count, value), { to: NOON, doubtFrom: NOON - count * MINUTE_MS });
  expect(shift?.score ?? 0).toBeLessThan(0.25);
});
