import type { Rule, RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { ruleFields } from '@tidewatch/contracts/rules/rule';
import { readRuleInput } from '@tidewatch/contracts/rules/rule-input';
import { mergePatch } from '@tidewatch/contracts/values/merge-patch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumber, readTags, writeTags } from '../../../form/fields.tsx';
import { valueAt, withValue } from '../../../form/form-state.ts';
import {
  candidateDurations,
  candidateThresholds,
  copyOf,
  differences,
  draftOf,
  NEW_RULE,
  patchBetween,
} from './draft.ts';
import { FORM_FIELDS } from './form/form-fields.ts';
import { linePath, roundedThreshold, scaleOf } from './preview/plot-scale.ts';
import { previewText } from './preview/preview-text.ts';
import { tryRule } from './preview/try-rule.ts';

it('has a control for every field of the schema, or shows it under "Other"', () => {
  const others = Object.keys(ruleFields).filter((name) => !FORM_FIELDS.has(name));
  expect([...FORM_FIELDS].filter((name) => !Object.hasOwn(ruleFields, name))).toEqual([]);
  expect(others).toEqual(['external_id', 'enabled']);
});

describe('a draft', () => {
  it('of a new rule needs a name and nothing else', () => {
    const read = readRuleInput(NEW_RULE);
    expect('errors' in read && read.errors.map(({ path }) => path)).toEqual(['/name']);
    expect('rule' in readRuleInput({ ...NEW_RULE, name: 'CPU' })).toBe(true);
  });

  it('of a stored rule has the fields that a client may set', () => {
    const stored = { id: 'rul_1', version: 3, name: 'CPU', threshold: 90 } as Rule;
    expect(draftOf(stored, ['name', 'threshold'])).toEqual({ name: 'CPU', threshold: 90 });
  });

  it('as a copy has another name and belongs to no file', () => {
    expect(copyOf({ name: 'CPU', external_id: 'cpu' })).toEqual({ name: 'CPU (copy)', external_id: null });
  });

  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.array(fc.integer(), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  const object = fc.dictionary(fc.constantFrom('x', 'y', 'z'), json, { noNullPrototype: true });

  it('differs from what is stored by a patch that leads to it', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(mergePatch(before, patchBetween(before, after))).toEqual(after);
      }),
    );
  });

  it('has no patch where nothing has changed', () => {
    fc.assert(
      fc.property(object, (draft) => {
        expect(patchBetween(draft, structuredClone(draft))).toEqual({});
      }),
    );
  });

  it('names the fields in which another version differs', () => {
    const mine = { name: 'CPU', threshold: 90, scope: { hosts: ['a'] }, renotify_minutes: null };
    const theirs = { name: 'CPU', threshold: 80, scope: { hosts: ['a'] } };
    expect(differences(mine, theirs)).toEqual([{ field: 'threshold', mine: 90, theirs: 80 }]);
  });

  it('has values at pointers', () => {
    const draft = { thresholds: [{ threshold: 1 }], no_data: { policy: 'alert' } };
    expect(valueAt(draft, '/thresholds/0/threshold')).toBe(1);
    expect(valueAt(draft, '/overrides/0/match')).toBeUndefined();
    expect(withValue(draft, '/thresholds/0/threshold', 2).thresholds).toEqual([{ threshold: 2 }]);
    expect(withValue(draft, '/no_data/policy', undefined).no_data).toEqual({});
    expect(withValue<object>({}, '/scope/hosts', ['a'])).toEqual({ scope: { hosts: ['a'] } });
    expect(draft).toEqual({ thresholds: [{ threshold: 1 }], no_data: { policy: 'alert' } });
  });
});

it.each([
  ['90', 90],
  [' -1.5 ', -1.5],
  ['.5', 0.5],
  ['1.', 1],
  ['', null],
  ['9O', '9O'],
  ['1,5', '1,5'],
  ['1e3', '1e3'],
])('reads the text "%s" of a number as %j', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

it('reads and writes patterns of tags', () => {
  const tags = { role: 'db', region: ['eu-*', 'us-1'] };
  expect(readTags('role=db, region = eu-* | us-1, nothing')).toEqual(tags);
  expect(readTags(writeTags(tags))).toEqual(tags);
});

describe('what is compared', () => {
  const range = { low: 1, median: 40, high: 100 };

  it('lies between the median and the maximum, and includes the own threshold', () => {
    const all = candidateThresholds({ condition: 'greater_than', threshold: 91 }, range);
    expect([all.length, all[0], all.at(-1), all.includes(91)]).toEqual([20, 40, 100, true]);
  });

  it('lies between the minimum and the median where less is worse', () => {
    const all = candidateThresholds({ condition: 'less_than', threshold: 5 }, range);
    expect([all[0], all.at(-1)]).toEqual([1, 40]);
  });

  it('lies in the whole range where most values are at the extreme', () => {
    const saturated = { low: 60, median: 100, high: 100 };
    const all = candidateThresholds({ condition: 'greater_than', threshold: 5 }, saturated);
    expect([all.length, all[0], all[1], all.at(-1)]).toEqual([20, 5, 60, 100]);
  });

  it('is the own threshold alone where the metric never changes', () => {
    const flat = { low: 7, median: 7, high: 7 };
    expect(candidateThresholds({ condition: 'greater_than', threshold: 90 }, flat)).toEqual([90]);
  });

  it.each([
    [0, [0, 5, 10]],
    [1, [0, 1, 2]],
    [10, [5, 10, 20]],
    [1_440, [720, 1_440]],
  ])('with a duration of %i min has %j', (own, all) => {
    expect(candidateDurations(own)).toEqual(all);
  });
});

describe('a trial in the browser', () => {
  const times = Array.from({ length: 60 }, (_, minute) => minute * 60_000);
  const values = times.map((_, minute) => (minute >= 20 && minute < 40 ? 95 : 10));
  const read = readRuleInput({ ...NEW_RULE, name: 'CPU', duration_minutes: 5 });
  const rule = 'rule' in read ? read.rule : ({} as RuleDefinition);

  it('fires where the value breaches for long enough, and resolves where it is clear', () => {
    const [tried] = tryRule(rule, [{ host: 'web-1', times, values }]);
    expect(tried?.alerts).toEqual([
      {
        severity: 'warning',
        pendingSince: 20 * 60_000,
        firedAt: 25 * 60_000,
        resolvedAt: 40 * 60_000,
        peakValue: 95,
      },
    ]);
  });

  it('does not fire above another threshold', () => {
    expect(tryRule({ ...rule, threshold: 96 }, [{ host: 'web-1', times, values }])[0]?.alerts).toEqual([]);
  });
});

describe('the plot', () => {
  const scale = scaleOf({ width: 100, height: 50 }, { from: 0, to: 1_000 }, [20], true);

  it('has percentages from 0 to 100, and finds the value at a height', () => {
    expect([scale.y(0), scale.y(100), scale.valueAt(25), scale.x(500)]).toEqual([50, 0, 50, 50]);
  });

  it('interrupts the line at gaps and draws a single point as a dot', () => {
    expect(linePath([0, 10, 100, 200, 210], [0, 0, 0, 0, 0], 10, scale)).toBe(
      'M0.0 50.0L1.0 50.0M10.0 50.0h.01M20.0 50.0L21.0 50.0',
    );
  });

  it('sets thresholds of three digits', () => {
    expect([roundedThreshold(87.4321), roundedThreshold(123_456)]).toEqual([87.4, 123_500]);
  });
});

it('says how many alerts there would have been, on how many hosts, and how long', () => {
  const alert = (service_id: string, fired_at: string, resolved_at: string | null) => ({
    service_id,
    fired_at,
    resolved_at,
  });
  const preview = {
    to: '2026-11-26T12:00:00Z',
    alerts_total: 3,
    alerts: [
      alert('a', '2026-11-26T11:00:00Z', null),
      alert('a', '2026-11-26T01:00:00Z', '2026-11-26T04:00:00Z'),
      alert('b', '2026-11-26T01:00:00Z', '2026-11-26T01:10:00Z'),
    ],
  } as Parameters<typeof previewText>[0];
  expect(previewText(preview)).toBe('3 alerts on 2 hosts · max 3 h · 1 still firing');
  expect(previewText({ ...preview, alerts: [], alerts_total: 0 })).toBe('No alert.');
});
