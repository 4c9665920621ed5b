import { describe, expect, test } from 'vitest';
import { planOf } from '../../load/plan.fixture.ts';
import { createWalk } from '../../load/walk.ts';
import { planRules } from '../../rules.ts';
import { firingBounds, firingDifferences } from './firing-bounds.ts';
import { sumOfMetric } from './metrics-text.ts';
import { firingAlerts } from './prometheus-alerts.ts';
import { ruleFile } from './rule-file.ts';

describe('ruleFile', () => {
  test('has a group for each metric, evaluated every step', () => {
    const { groups } = JSON.parse(ruleFile({ rules: planRules(100, 5), stepMs: 10_000 }));
    expect(groups).toHaveLength(10);
    expect(groups[1]).toMatchObject({ name: 'memory_percent', interval: '10s' });
    expect(groups[1].rules).toHaveLength(10);
    expect(groups[1].rules[3]).toEqual({
      alert: 'memory_percent over 93',
      expr: 'memory_percent > 93',
      for: '5m',
    });
  });
});

describe('sumOfMetric', () => {
  const text = [
    '# HELP rounds_total Rounds.',
    'rounds_total{group="a {b}",file="x"} 3',
    'rounds_total{group="c"} 4 1700000000000',
    'rounds_total_of_others 9',
    'idle 5e-1',
  ].join('\n');

  test.each([
    ['rounds_total', 7],
    ['rounds_total_of_others', 9],
    ['idle', 0.5],
    ['absent', 0],
  ])('sums %s over all labels', (metric, sum) => expect(sumOfMetric(text, metric)).toBe(sum));
});

test('firingAlerts leaves out pending alerts', () => {
  const alert = (state: string, host: string) => ({
    state,
    labels: { alertname: 'cpu_percent over 90', host },
  });
  const answer = Buffer.from(
    JSON.stringify({
      data: { alerts: [alert('firing', 'a'), alert('pending', 'b'), alert('inactive', 'c')] },
    }),
  );
  expect([...firingAlerts(answer)]).toEqual(['cpu_percent over 90 on a']);
});

describe('firingBounds', () => {
  const plan = planOf({ seed: 11, hosts: 200, metrics: 10, ticks: 40 });
  const rules = planRules(100, 1);
  const bounds = firingBounds(plan, { rules, stepMs: plan.stepMs });

  /** Whether a rule breaches at each tick, from the walk alone. */
  function breaches(host: number, { metric, threshold }: { metric: number; threshold: number }): boolean[] {
    const walk = createWalk(plan, host);
    return Array.from({ length: plan.ticks }, () => {
      walk.next();
      return (walk.values[metric] as number) / 100 > threshold;
    });
  }

  test('are certain of what breaches throughout, and possible where the last minute may have breached', () => {
    for (const host of [0, 50, 100, 150, 7]) {
      for (const rule of rules) {
        const name = `${rule.name} on bench-${String(host).padStart(5, '0')}`;
        const all = breaches(host, rule);
        expect(bounds.certain.has(name)).toBe(all.every(Boolean));
        // Five of six ticks in a row, ended at most six ticks before the last one.
        const ends = all.flatMap((_, at) =>
          at >= 4 && all.slice(at - 4, at + 1).every(Boolean) ? [at] : [],
        );
        expect(bounds.possible.has(name)).toBe((ends.at(-1) ?? -1) >= plan.ticks - 7);
      }
    }
    expect(bounds.certain.size).toBeGreaterThan(0);
    expect(bounds.possible.size).toBeGreaterThan(bounds.certain.size);
  });

  test('accept every set between them and name what is beyond', () => {
    expect(firingDifferences(bounds.certain, bounds)).toEqual([]);
    expect(firingDifferences(bounds.possible, bounds)).toEqual([]);
    const [first = ''] = bounds.certain;
    const less = new Set([...bounds.certain].slice(1));
    expect(firingDifferences(less, bounds)).toEqual([`1 alerts do not fire, such as ${first}`]);
    const more = new Set([...bounds.certain, 'cpu_percent over 90 on nobody']);
    expect(firingDifferences(more, bounds)).toEqual([
      '1 alerts must not fire, such as cpu_percent over 90 on nobody',
    ]);
  });
});
