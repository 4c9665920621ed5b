import { expect, test } from 'vitest';
import { samplesOfPayload, timeOf } from '../../load/plan.ts';
import { type ReplayKind, replayLoad, replayPlan } from './replay.ts';

const now = 1_795_000_003_217;

test.each(['replay', 'single', 'rich', 'parts', 'fleet'] as const)(
  'the plan of %s with a rate has exactly the samples that are sent',
  (kind) => {
    const { plan, seconds } = replayLoad(kind, 60, 20_000, now);
    expect(plan.hosts * plan.ticks * samplesOfPayload(plan)).toBe(1_200_000);
    expect(seconds).toBeNull();
  },
);

test('a replay of ten minutes has as many hosts as make a plan that no machine can send in time', () => {
  const { hosts, ticks, stepMs } = replayPlan('replay', 600, null, now);
  expect(hosts).toBe(2_000);
  expect(hosts * ticks).toBe(90_000_000);
  expect(ticks * stepMs).toBeLessThan(6 * 86_400_000);
  expect(replayPlan('replay', 60, null, now)).toMatchObject({ hosts: 1_000, ticks: 9_000 });
});

test.each<[ReplayKind, number]>([
  ['replay', 60],
  ['rich', 3_600],
  ['parts', 3_600],
  ['fleet', 3_600],
  ['single', 3_600],
])('%s for %i s ends before now, and the whole is younger than what keeps it', (kind, seconds) => {
  const plan = replayPlan(kind, seconds, null, now);
  expect(timeOf(plan, plan.hosts - 1, plan.ticks - 1)).toBeLessThanOrEqual(now);
  expect(timeOf(plan, plan.hosts - 1, plan.ticks - 1)).toBeGreaterThan(now - 2 * plan.stepMs);
  expect(now - plan.startMs).toBeLessThan((kind === 'replay' || kind === 'single' ? 7 : 2) * 86_400_000);
});
