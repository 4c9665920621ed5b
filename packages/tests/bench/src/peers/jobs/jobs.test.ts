import { describe, expect, test } from 'vitest';
import { evaluationDifferences, pacedPlan } from './paced.ts';
import { STORED_JOBS } from './stored.ts';

describe('plans of the jobs', () => {
  test('hour ends with the last whole minute', () => {
    const now = Date.parse('2026-11-30T12:34:56.789Z');
    const plan = STORED_JOBS.hour.plan(now);
    expect(plan.startMs).toBe(Date.parse('2026-11-30T11:34:00Z'));
    expect(plan.ticks * plan.stepMs).toBe(3_600_000);
    expect(plan.hosts).toBe(1_000);
  });

  test.each([
    ['2026-11-30T03:00:00Z', '2026-11-29T00:00:00Z'],
    ['2026-11-30T02:59:59Z', '2026-11-28T00:00:00Z'],
    ['2026-11-30T23:59:59Z', '2026-11-29T00:00:00Z'],
  ])('at %s day is that which began at %s', (now, start) => {
    const plan = STORED_JOBS.day.plan(Date.parse(now));
    expect(plan.startMs).toBe(Date.parse(start));
    expect(plan.ticks * plan.stepMs).toBe(86_400_000);
  });

  test('no question of a job reads beyond the plan', () => {
    for (const job of Object.values(STORED_JOBS)) {
      const plan = job.plan(Date.parse('2026-11-30T12:00:00Z'));
      for (const { question, requests } of job.reads) {
        for (let index = 0; index < requests + 4; index += 1) {
          const { fromMs, toMs } = question(plan, index);
          expect(fromMs).toBeGreaterThanOrEqual(plan.startMs);
          expect(toMs).toBeLessThanOrEqual(plan.startMs + plan.ticks * plan.stepMs);
        }
      }
    }
  });

  test('in real time there is a minute before the steps that are measured', () => {
    const plan = pacedPlan({ hosts: 500, seconds: 120, rules: 100 }, 1_700_000_000_000);
    expect(plan).toMatchObject({ hosts: 500, ticks: 18, paced: true });
  });
});

describe('evaluationDifferences', () => {
  test('accepts a round more or less, and a system that counts none', () => {
    expect(evaluationDifferences({ done: 1_100, missed: 0 }, 1_200)).toEqual([]);
    expect(evaluationDifferences(null, 1_200)).toEqual([]);
  });

  test('names rounds that were left out, and too few evaluations', () => {
    expect(evaluationDifferences({ done: 900, missed: 3 }, 1_200)).toEqual([
      '3 rounds were left out, or evaluations failed',
      '900 evaluations of 1200',
    ]);
  });
});
