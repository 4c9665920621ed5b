import type { Rule, RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf, levelOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { describe, expect, it } from 'vitest';
import { conditionText, scopeText, worstSeverity } from './rule-words.ts';
import { ruleOrder, sortRules } from './rules-order.ts';

const RULE = definitionOf({ severity: 'info' });

describe('the condition of a rule', () => {
  it.each<[Partial<RuleDefinition>, string]>([
    [{}, 'cpu_percent > 90 %, 5 min'],
    [{ duration_minutes: 0 }, 'cpu_percent > 90 %'],
    [{ condition: 'between', threshold: 10, threshold_max: 20 }, 'cpu_percent in 10 % to 20 %, 5 min'],
    [{ metric: 'network_receive_bytes', threshold: 2 ** 30 }, 'network_receive_bytes > 1 GiB, 5 min'],
    [
      { transform: { kind: 'forecast', over_minutes: 60, ahead_minutes: 240 } },
      'forecast in 240 min from 60 min of cpu_percent > 90 %, 5 min',
    ],
    [
      {
        threshold: null,
        thresholds: [levelOf('warning', 80), levelOf('critical', 95, { duration_minutes: 0 })],
      },
      'cpu_percent: warning > 80 %, 5 min; critical > 95 %',
    ],
  ])('with %j is worded', (changes, text) => {
    expect(conditionText({ ...RULE, ...changes })).toBe(text);
  });

  it('is as bad as the worst of its thresholds', () => {
    const thresholds = [{ severity: 'warning' }, { severity: 'critical' }] as RuleDefinition['thresholds'];
    expect([worstSeverity(RULE), worstSeverity({ ...RULE, thresholds })]).toEqual(['info', 'critical']);
  });
});

it.each([
  [{}, 'all hosts'],
  [{ hosts: ['web-*', 'db-1'] }, 'web-*, db-1'],
  [{ hosts: ['web-*'], tags: { role: 'db', region: ['eu', 'us'] } }, 'web-*; role=db; region=eu or us'],
  [{ part: ['/var*'], part_labels: { type: 'ext4' } }, 'all hosts; part /var*; label type=ext4'],
  [{ hosts: ['web-*'], process: ['nginx'] }, 'web-*; process nginx'],
])('words the scope %j', (scope, text) => {
  expect(scopeText(scope)).toBe(text);
});

it('sorts rules by alerts, by name or by their last change', () => {
  const rule = (name: string, updated: number, firing_count: number) =>
    ({ id: name, name, updated_at: new Date(updated).toISOString(), firing_count }) as Rule;
  const rules = [rule('b', 1, 2), rule('a', 2, 2), rule('c', 3, 9)];
  const names = (order: Parameters<typeof sortRules>[1]) =>
    sortRules(rules, order, ({ firing_count }) => firing_count)
      .map(({ name }) => name)
      .join('');
  expect([names('alerts'), names('name'), names('updated_at')]).toEqual(['cab', 'abc', 'cab']);
  expect([ruleOrder('alerts'), ruleOrder('nothing'), ruleOrder(undefined)]).toEqual([
    'alerts',
    'name',
    'name',
  ]);
});
