import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../problems/problem.ts';
import { newId } from '../values/id.ts';
import { channelWarnings } from './channel-warnings.ts';
import { CONDITIONS } from './condition.ts';
import type { RuleDefinition, RuleMode } from './rule.ts';
import { applyRulePatch, READ_ONLY_RULE_FIELDS, readRuleInput } from './rule-input.ts';
import { RULE_DEFAULTS } from './testing/rule-definition.ts';

const NO_TERMS = {
  threshold: null,
  threshold_max: null,
  recovery_threshold: null,
  duration_minutes: null,
  keep_firing_minutes: null,
  severity: null,
  thresholds: null,
};
const MINIMAL = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };

type Outcome = { rule: RuleDefinition } | { errors: Fault[] };

function ruleOf(outcome: Outcome): RuleDefinition {
  if ('errors' in outcome) throw new Error(JSON.stringify(outcome.errors));
  return outcome.rule;
}

function faults(outcome: Outcome): string[] {
  return 'errors' in outcome ? outcome.errors.map(({ path, code }) => `${path} ${code}`) : [];
}

describe('readRuleInput', () => {
  it('fills in the defaults', () => {
    expect(readRuleInput(MINIMAL)).toEqual({ rule: { ...MINIMAL, ...RULE_DEFAULTS } });
  });

  it('keeps every field', () => {
    const sent = {
      ...MINIMAL,
      description: 'why',
      enabled: false,
      scope: { hosts: ['a', 'b'], tags: { env: 'prod', region: ['eu-*', 'us-1'] } },
      recovery_threshold: 80.5,
      keep_firing_minutes: 3,
      no_data: { policy: 'keep_state', after_minutes: 12 },
      renotify_minutes: 60,
      runbook_url: 'https://example.org/runbook',
      duration_minutes: 0,
      severity: 'info',
      channels: ['slack', 'email', 'webhook', 'pagerduty'],
      external_id: 'cpu-high',
    };
    expect(readRuleInput(sent)).toEqual({ rule: { ...RULE_DEFAULTS, ...sent } });
  });

  it.each<[string, Record<string, unknown>]>([
    ['no duration', { duration_minutes: 0 }],
    ['a day of duration', { duration_minutes: 1440 }],
    ['threshold 0', { threshold: 0 }],
    ['a large threshold', { threshold: 1e300 }],
    ['a name in any script', { name: '名前 <b>&amp;</b> \u{1f525}' }],
    ['a metric called __proto__', { metric: '__proto__' }],
    ['a metric of odd characters', { metric: 'größe.µs/%' }],
    ['a metric that only looks like one of a container', { metric: 'containers.cpu' }],
    ['a range of one value', { condition: 'between', threshold: 5, threshold_max: 5 }],
    ['a tag called __proto__', { scope: JSON.parse('{"tags":{"__proto__":"x"}}') }],
    ['a recovery threshold on the threshold', { recovery_threshold: 90 }],
    ['a recovery threshold above, for less_than', { condition: 'less_than', recovery_threshold: 95 }],
    ['a shadow rule', { mode: 'shadow' }],
    [
      'a metric of containers',
      { metric: 'container.memory_usage', no_data: { policy: 'resolve', after_minutes: 5 } },
    ],
    ['a metric of processes', { metric: 'process.cpu_percent' }],
    ['the silence of hosts', { metric: 'host.silent_minutes' }],
    [
      'a metric of parts, with parts in scope and overrides',
      {
        metric: 'filesystem.used_percent',
        scope: { hosts: ['web-*'], part: ['/var*', '/srv'], part_labels: { type: ['ext4', 'xfs'] } },
        overrides: [{ ...NO_TERMS, match: { part: '/backup*' }, enabled: false }],
      },
    ],
    ['the number of named processes', { metric: 'process.count', scope: { process: ['nginx', 'job-*'] } }],
    [
      'containers in scope and overrides',
      {
        metric: 'container.running',
        scope: { container: 'api' },
        overrides: [{ ...NO_TERMS, match: { container: 'job-*' }, enabled: false }],
      },
    ],
    ['an average', { transform: { kind: 'average', over_minutes: 10 } }],
    ['a forecast', { transform: { kind: 'forecast', over_minutes: 360, ahead_minutes: 1440 } }],
    ['an alert when data stay away', { no_data: { policy: 'alert', after_minutes: 10 } }],
  ])('takes %s', (_name, fields) => {
    expect(ruleOf(readRuleInput({ ...MINIMAL, ...fields }))).toMatchObject(fields);
  });

  it.each(CONDITIONS)('accepts the condition %s', (condition) => {
    const range = condition.includes('between') ? { threshold_max: 95 } : {};
    expect(ruleOf(readRuleInput({ ...MINIMAL, condition, ...range })).condition).toBe(condition);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ name: '' }, '/name too_short'],
    [{ name: 'a\0' }, '/name nul_character'],
    [{ name: '\ud800' }, '/name lone_surrogate'],
    [{ name: 'x'.repeat(201) }, '/name too_long'],
    [{ metric: 'm'.repeat(201) }, '/metric too_long'],
    [{ metric: 'container.' }, '/metric invalid_value'],
    [{ metric: 'process.threads' }, '/metric invalid_value'],
    [{ metric: 'host.uptime' }, '/metric invalid_value'],
    [{ mode: 'dry' }, '/mode invalid_value'],
    [{ mode: null }, '/mode invalid_value'],
    [{ transform: { kind: 'median', over_minutes: 10 } }, '/transform/kind invalid_value'],
    [{ transform: { kind: 'average', over_minutes: 0 } }, '/transform/over_minutes too_small'],
    [
      { transform: { kind: 'average', over_minutes: 5, ahead_minutes: 1 } },
      '/transform/ahead_minutes unknown_field',
    ],
    [{ transform: { kind: 'forecast', over_minutes: 5 } }, '/transform/ahead_minutes required'],
    [
      { metric: 'host.silent_minutes', transform: { kind: 'average', over_minutes: 5 } },
      '/transform not_allowed',
    ],
    [{ metric: 'host.silent_minutes', no_data: { policy: 'alert' } }, '/no_data/policy not_allowed'],
    [{ metric: 'container.restarts', no_data: { policy: 'alert' } }, '/no_data/policy not_allowed'],
    [{ thresholds: [{ severity: 'critical', threshold: 95 }] }, '/threshold not_allowed'],
    [{ threshold: null, thresholds: [] }, '/thresholds too_few'],
    [
      {
        threshold: null,
        thresholds: [
          { severity: 'info', threshold: 1 },
          { severity: 'info', threshold: 2 },
        ],
      },
      '/thresholds/1/severity duplicate',
    ],
    [
      { threshold: null, thresholds: [{ severity: 'info', threshold: 1, recovery_threshold: 2 }] },
      '/thresholds/0/recovery_threshold out_of_range',
    ],
    [{ overrides: [{ threshold: 5 }] }, '/overrides/0/match required'],
    [{ overrides: [{ match: {}, limit: 5 }] }, '/overrides/0/limit unknown_field'],
    [{ overrides: [{ match: {}, recovery_threshold: 91 }] }, '/overrides/0/recovery_threshold out_of_range'],
    [{ overrides: [{ match: {}, threshold_max: 91 }] }, '/overrides/0/threshold_max not_allowed'],
    [{ no_data: { policy: 'page' } }, '/no_data/policy invalid_value'],
    [{ no_data: { after_minutes: 0 } }, '/no_data/after_minutes too_small'],
    [{ no_data: { policies: 1 } }, '/no_data/policies unknown_field'],
    [{ threshold: Number.POSITIVE_INFINITY }, '/threshold not_finite'],
    [{ threshold: null }, '/threshold required'],
    [{ duration_minutes: 1441 }, '/duration_minutes too_large'],
    [{ duration_minutes: 1.5 }, '/duration_minutes not_an_integer'],
    [{ enabled: 'yes' }, '/enabled invalid_type'],
    [{ extra: 1 }, '/extra unknown_field'],
    [{ 'a/b': 1 }, '/a~1b unknown_field'],
    [JSON.parse('{"__proto__":1}'), '/__proto__ unknown_field'],
    [{ id: 'rul_2' }, '/id read_only'],
    [{ scope: { host: ['a'] } }, '/scope/host unknown_field'],
    [{ scope: { hosts: [''] } }, '/scope/hosts/0 too_short'],
    [{ scope: { part: '/var' } }, '/scope/part not_allowed'],
    [{ scope: { part_labels: {} } }, '/scope/part_labels not_allowed'],
    [{ metric: 'container.restarts', scope: { part: '/var' } }, '/scope/part not_allowed'],
    [{ metric: 'part.used_percent', scope: { part: '/var' } }, '/scope/part not_allowed'],
    [{ overrides: [{ match: { part: [] } }] }, '/overrides/0/match/part not_allowed'],
    [{ metric: 'filesystem.used_percent', scope: { part: 5 } }, '/scope/part invalid_value'],
    [{ metric: 'filesystem.used_percent', scope: { parts: ['/var'] } }, '/scope/parts unknown_field'],
    [{ scope: { container: 'api' } }, '/scope/container not_allowed'],
    [{ metric: 'container.running', scope: { process: 'nginx' } }, '/scope/process not_allowed'],
    [
      { metric: 'process.cpu_percent', overrides: [{ match: { container: [] } }] },
      '/overrides/0/match/container not_allowed',
    ],
    [{ metric: 'process.count' }, '/scope/process required'],
    [{ metric: 'process.count', scope: { process: [] } }, '/scope/process required'],
    [{ metric: 'process.count', scope: { process: '' } }, '/scope/process too_short'],
    [{ scope: { tags: { region: 5 } } }, '/scope/tags/region invalid_value'],
    [{ runbook_url: 'javascript:alert(1)' }, '/runbook_url invalid_format'],
    [{ channels: ['fax'] }, '/channels/0 invalid_value'],
    [{ channels: 'slack' }, '/channels invalid_type'],
    [{ condition: 'between' }, '/threshold_max required'],
    [{ condition: 'not_between', threshold_max: 89 }, '/threshold_max out_of_range'],
    [{ threshold_max: 95 }, '/threshold_max not_allowed'],
    [{ recovery_threshold: 90.1 }, '/recovery_threshold out_of_range'],
    [{ condition: 'greater_than_or_equal', recovery_threshold: 90 }, '/recovery_threshold out_of_range'],
    [{ condition: 'less_than', recovery_threshold: 89 }, '/recovery_threshold out_of_range'],
    [{ condition: 'less_than_or_equal', recovery_threshold: 90 }, '/recovery_threshold out_of_range'],
    [{ condition: 'equal', recovery_threshold: 80 }, '/recovery_threshold not_allowed'],
    [{ condition: 'between', threshold_max: 95, recovery_threshold: 80 }, '/recovery_threshold not_allowed'],
  ])('refuses %j', (fields, fault) => {
    const input = Object.fromEntries([...Object.entries(MINIMAL), ...Object.entries(fields)]);
    expect(faults(readRuleInput(input))).toEqual([fault]);
  });

  it.each([null, [], 'rule', 5, true, undefined])('refuses %j, which is not an object', (input) => {
    expect(faults(readRuleInput(input))).toEqual([' invalid_type']);
  });

  it('reports all faults at once, those between fields too', () => {
    const input = {
      name: '',
      condition: 'above',
      threshold: 'x',
      severity: 'fatal',
      duration_minutes: -1,
      extra: 1,
      mode: 'dry',
    };
    expect(faults(readRuleInput(input)).sort()).toEqual([
      '/condition invalid_value',
      '/duration_minutes too_small',
      '/extra unknown_field',
      '/metric required',
      '/mode invalid_value',
      '/name too_short',
      '/severity invalid_value',
      '/threshold invalid_type',
    ]);
    expect(
      faults(readRuleInput({ name: '', metric: 'host.x', condition: 'between', threshold: 1 })).sort(),
    ).toEqual(['/metric invalid_value', '/name too_short', '/threshold_max required']);
  });

  it('reports at most a hundred faults', () => {
    const extra = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    expect(faults(readRuleInput(extra))).toHaveLength(100);
  });

  it('accepts only ids of channels that exist', () => {
    const [known, unknown] = [newId('chn'), newId('chn')];
    const channels = ['slack', known, unknown];
    expect(faults(readRuleInput({ ...MINIMAL, channels }, new Set([known])))).toEqual([
      '/channels/2 unknown_channel',
    ]);
    expect(ruleOf(readRuleInput({ ...MINIMAL, channels: [known] }, new Set([known]))).channels).toEqual([
      known,
    ]);
  });

  it('never throws, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom(...Object.keys(MINIMAL), ...Object.keys(RULE_DEFAULTS)),
            fc.jsonValue(),
          ),
        ),
        (input) => {
          const outcome = readRuleInput(input);
          return 'rule' in outcome || outcome.errors.length > 0;
        },
      ),
    );
  });
});

describe('applyRulePatch', () => {
  const stored = ruleOf(
    readRuleInput({
      ...MINIMAL,
      description: 'kept',
      recovery_threshold: 80,
      scope: { hosts: ['a'], tags: { env: 'prod', region: 'eu' } },
      no_data: { policy: 'keep_state', after_minutes: 30 },
      severity: 'critical',
    }),
  );

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['changes what it names', { threshold: 95, name: 'renamed' }, { threshold: 95, name: 'renamed' }],
    ['changes nothing when it is empty', {}, {}],
    [
      'null sets back to the default',
      { description: null, severity: null, recovery_threshold: null },
      { description: null, severity: 'warning', recovery_threshold: null },
    ],
    [
      'null clears a whole object',
      { scope: null, no_data: null },
      { scope: {}, no_data: { policy: 'keep_state', after_minutes: 10 } },
    ],
    [
      'merges inside objects',
      { scope: { tags: { env: null, tier: 'web' } } },
      { scope: { hosts: ['a'], tags: { region: 'eu', tier: 'web' } } },
    ],
    [
      'replaces lists',
      { scope: { hosts: ['b'] } },
      { scope: { hosts: ['b'], tags: { env: 'prod', region: 'eu' } } },
    ],
    ['keeps the rest of no_data', { no_data: { policy: 'keep_state' } }, {}],
    [
      'may change condition and limits together',
      { condition: 'between', threshold_max: 99, recovery_threshold: null },
      { condition: 'between', threshold_max: 99, recovery_threshold: null },
    ],
  ])('%s', (_name, patch, change) => {
    expect(applyRulePatch(stored, patch)).toEqual({ rule: { ...stored, ...change } });
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ threshold: 'x' }, ['/threshold invalid_type']],
    [{ condition: 'between', recovery_threshold: null }, ['/threshold_max required']],
    [{ threshold: 70 }, ['/recovery_threshold out_of_range']],
    [{ metric: null }, ['/metric required']],
    [{ treshold: 1 }, ['/treshold unknown_field']],
    [{ treshold: null }, ['/treshold unknown_field']],
    [{ mode: 'dry', overrides: [{}] }, ['/mode invalid_value', '/overrides/0/match required']],
    [{ channels: [`chn_${'0'.repeat(32)}`] }, ['/channels/0 unknown_channel']],
  ])('refuses %j', (patch, expected) => {
    const before = structuredClone(stored);
    expect(faults(applyRulePatch(stored, patch))).toEqual(expected);
    expect(stored).toEqual(before);
  });

  it.each(READ_ONLY_RULE_FIELDS)('refuses %s, which the server sets', (field) => {
    expect(faults(applyRulePatch(stored, { [field]: 9 }))).toEqual([`/${field} read_only`]);
    expect(faults(applyRulePatch(stored, { [field]: null }))).toEqual([`/${field} read_only`]);
  });

  it.each([null, [], 'x', 5])('refuses %j, which is not an object', (patch) => {
    expect(faults(applyRulePatch(stored, patch))).toEqual([' invalid_type']);
  });
});

it.each<[object, string]>([
  [{ ...MINIMAL, treshold: 1 }, 'Did you mean threshold?'],
  [{ ...MINIMAL, condition: 'greater-than' }, 'Did you mean greater_than?'],
  [{ ...MINIMAL, no_data: { polcy: 'alert' } }, 'Did you mean policy?'],
  [
    { ...MINIMAL, threshold: null, thresholds: [{ severity: 'info', treshold: 1 }] },
    'Did you mean threshold?',
  ],
])('asks what was meant by %j', (input, question) => {
  const read = readRuleInput(input);
  const messages = 'errors' in read ? read.errors.map(({ message }) => message) : [];
  expect(
    messages.some((message) => message.includes(question)),
    messages.join(' '),
  ).toBe(true);
});

describe('channelWarnings', () => {
  const [living, disabled, deleted] = [newId('chn'), newId('chn'), newId('chn')];
  const known = {
    ids: new Set([living, disabled]),
    disabled: new Set([disabled]),
    kinds: new Set(['email'] as const),
  };
  const none = { ...known, kinds: new Set<never>() };

  it.each<[string, string[], typeof known | typeof none, RuleMode, [code: string, part: string][]]>([
    [
      'a kind without a default channel once',
      ['slack', 'slack', 'email'],
      known,
      'active',
      [['channel_not_configured', 'kind slack']],
    ],
    [
      'a deleted channel once',
      [living, deleted, deleted],
      known,
      'active',
      [['channel_not_configured', `${deleted} was deleted`]],
    ],
    [
      'a disabled channel',
      [living, disabled],
      known,
      'active',
      [['channel_not_configured', `${disabled} is disabled`]],
    ],
    [
      'default where no channel is a default',
      ['default'],
      none,
      'active',
      [['channel_not_configured', 'No default channel']],
    ],
    ['nothing about default where one kind has a default', ['default'], known, 'active', []],
    ['a rule without channels', [], known, 'active', [['notifies_nobody', '["default"]']]],
    ['nothing about a rule in shadow without channels', [], known, 'shadow', []],
  ])('names %s', (_name, channels, channelsOf, mode, expected) => {
    const warnings = channelWarnings({ channels, mode }, channelsOf);
    expect(warnings.map(({ code }) => code)).toEqual(expected.map(([code]) => code));
    for (const [index, [, part]] of expected.entries()) expect(warnings[index]?.message).toContain(part);
  });
});
