import type { Condition } from '@tidewatch/contracts/rules/condition';
import { CONDITIONS } from '@tidewatch/contracts/rules/condition';
import type { Selector } from '@tidewatch/contracts/rules/rule';
import type { RuleSelector } from '@tidewatch/contracts/rules/rule-selector';
import { overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleOf } from './rule.fixture.ts';

describe('conditions', () => {
  const just = (value: number, direction: 1 | -1) => value + direction * 2 ** -46;
  test.each<[Condition, number, number | null, yes: number[], no: number[]]>([
    ['greater_than', 90, null, [just(90, 1), 1e308], [90, just(90, -1), -1e308]],
    ['greater_than_or_equal', 90, null, [90, just(90, 1)], [just(90, -1)]],
    ['less_than', 90, null, [just(90, -1), -1e308], [90, just(90, 1)]],
    ['less_than_or_equal', 90, null, [90, just(90, -1)], [just(90, 1)]],
    ['equal', 90, null, [90], [just(90, 1), just(90, -1)]],
    ['not_equal', 90, null, [just(90, 1), just(90, -1)], [90]],
    ['between', 10, 20, [10, 15, 20], [just(10, -1), just(20, 1)]],
    ['not_between', 10, 20, [just(10, -1), just(20, 1)], [10, 15, 20]],
    ['between', 5, 5, [5], [just(5, 1), just(5, -1)]],
    ['greater_than', 0, null, [Number.MIN_VALUE], [0, -0, -Number.MIN_VALUE]],
    ['less_than', 0, null, [-Number.MIN_VALUE], [0, -0, Number.MIN_VALUE]],
    ['equal', 0, null, [0, -0], [Number.MIN_VALUE]],
    ['greater_than', Number.MAX_VALUE, null, [], [Number.MAX_VALUE]],
    ['less_than', -Number.MAX_VALUE, null, [], [-Number.MAX_VALUE]],
  ])('%s %d (%d)', (condition, threshold, threshold_max, yes, no) => {
    const rule = ruleOf({ condition, threshold, threshold_max });
    expect(yes.filter((value) => !rule.breaches(value))).toEqual([]);
    expect(no.filter((value) => rule.breaches(value))).toEqual([]);
  });

  test('agree with the operators for any finite doubles', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...CONDITIONS),
        finite,
        finite,
        finite,
        fc.boolean(),
        (condition, a, b, any, onThreshold) => {
          const [threshold, most] = [Math.min(a, b), Math.max(a, b)];
          const value = onThreshold ? threshold : any;
          const wanted = {
            greater_than: value > threshold,
            greater_than_or_equal: value >= threshold,
            less_than: value < threshold,
            less_than_or_equal: value <= threshold,
            equal: value === threshold,
            not_equal: value !== threshold,
            between: threshold <= value && value <= most,
            not_between: value < threshold || most < value,
          }[condition];
          expect(
            ruleOf({
              condition,
              threshold,
              threshold_max: condition.endsWith('between') ? most : null,
            }).breaches(value),
          ).toBe(wanted);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('recovery', () => {
  test.each<[string, Condition, number | null, number, boolean]>([
    ['no recovery threshold: anything clears', 'greater_than', null, 90, true],
    ['greater_than, below the line', 'greater_than', 80, 79.9, true],
    ['greater_than, on the line', 'greater_than', 80, 80, false],
    ['greater_than, above the line', 'greater_than', 80, 85, false],
    ['greater_than_or_equal, below the line', 'greater_than_or_equal', 80, 79.9, true],
    ['less_than, above the line', 'less_than', 95, 95.1, true],
    ['less_than, on the line', 'less_than', 95, 95, false],
    ['less_than_or_equal, below the line', 'less_than_or_equal', 95, 92, false],
  ])('%s', (_, condition, recovery_threshold, value, clears) => {
    expect(ruleOf({ condition, recovery_threshold }).levels[0].clears(value)).toBe(clears);
  });
});

describe('scope', () => {
  const tags = { environment: 'production', region: 'eu-1' };
  test.each<[string, Selector, boolean]>([
    ['{} takes every host in', {}, true],
    ['a literal host', { hosts: ['web-01'] }, true],
    ['another host', { hosts: ['web-02'] }, false],
    ['any entry of the list may match', { hosts: ['db-*', 'web-*'] }, true],
    ['a host in another case', { hosts: ['WEB-01'] }, false],
    ['an empty list asks for nothing', { hosts: [], tags: { region: [] } }, true],
    ['a tag', { tags: { environment: 'production' } }, true],
    ['a tag with a pattern', { tags: { region: ['us-1', 'eu-*'] } }, true],
    ['every tag must match', { tags: { environment: 'production', region: 'us-1' } }, false],
    ['a tag that the host lacks', { tags: { rack: '*' } }, false],
    ['hosts and tags must both match', { hosts: ['db-*'], tags: { environment: 'production' } }, false],
    ['a tag name of every object', { tags: { constructor: '*' } }, false],
  ])('%s', (_, scope, wanted) => {
    expect(ruleOf({ scope }).forHost('web-01', tags) !== null).toBe(wanted);
  });
});

describe('parts', () => {
  const metric = 'filesystem.used_percent';
  const part = { name: '/var/log', labels: { type: 'ext4', device: '/dev/sda2' } };
  const evaluates = (scope: RuleSelector, of: typeof part | null) =>
    ruleOf({ metric, scope }).forSubject('web-01', {}, of) !== null;
  test.each<[string, RuleSelector, boolean]>([
    ['{} takes every part in', {}, true],
    ['a literal name', { part: '/var/log' }, true],
    ['a pattern', { part: '/var*' }, true],
    ['any entry of a list may match', { part: ['/srv', '/var/*'] }, true],
    ['another name', { part: '/var' }, false],
    ['an empty list asks for nothing', { part: [], part_labels: { type: [] } }, true],
    ['a label with a pattern', { part_labels: { type: ['xfs', 'ext*'] } }, true],
    ['every label must match', { part_labels: { type: 'ext4', device: '/dev/sdb*' } }, false],
    ['a label that the part lacks', { part_labels: { mount: '*' } }, false],
    ['a label name of every object', { part_labels: { constructor: '*' } }, false],
    ['hosts and parts must both match', { hosts: ['db-*'], part: '/var*' }, false],
  ])('%s', (_, scope, wanted) => {
    expect(evaluates(scope, part)).toBe(wanted);
  });

  test('a scope that asks for parts takes no host in, and one that asks for none takes hosts and parts in', () => {
    expect(evaluates({ part: '*' }, null)).toBe(false);
    expect([evaluates({ hosts: ['web-*'] }, null), evaluates({ hosts: ['web-*'] }, part)]).toEqual([
      true,
      true,
    ]);
  });

  test('the first override that matches a part counts, and those of parts are not for hosts', () => {
    const rule = ruleOf({
      metric,
      overrides: [
        overrideOf({ match: { part: '/var/log' }, threshold: 97 }),
        overrideOf({ match: { part: '/var*' }, enabled: false }),
      ],
    });
    const thresholdOf = (name: string) =>
      rule.forSubject('web-01', {}, { ...part, name })?.levels[0].threshold ?? null;
    expect(['/var/log', '/var/lib', '/srv'].map(thresholdOf)).toEqual([97, null, 90]);
    expect(rule.forSubject('web-01', {}, null)).toBe(rule);
    expect([rule.forHost('web-01', {}), rule.isOverriddenFor('web-01', {})]).toEqual([rule, false]);
  });

  test('hosts of a scope that asks for parts are evaluated, in their parts', () => {
    const rule = ruleOf({ metric, scope: { hosts: ['web-*'], part: '/var' } });
    expect([rule.forHost('web-01', {}), rule.forHost('db-01', {})]).toEqual([rule, null]);
  });
});

test('minutes become milliseconds, and other fields are unchanged', () => {
  const rule = ruleOf({
    duration_minutes: 7,
    keep_firing_minutes: 3,
    severity: 'critical',
    condition: 'between',
    threshold: 1,
    threshold_max: 2,
  });
  expect(rule).toMatchObject({
    id: 'rul_1',
    organizationId: 'org_1',
    version: 1,
    metric: 'cpu_percent',
    subjectKind: 'host',
    streamKey: 'cpu_percent',
    shadow: false,
  });
  expect(rule.levels).toHaveLength(1);
  expect(rule.levels[0]).toMatchObject({
    durationMs: 420_000,
    keepFiringMs: 180_000,
    severity: 'critical',
    condition: 'between',
    threshold: 1,
    thresholdMax: 2,
  });
});
