import { expect, it } from 'vitest';
import { asSent, exampleIdsOf } from './example-request.ts';

const RULE = 'rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c';

it('asSent replaces the ids of an example by existing ones, and its times by present ones', () => {
  const ids = new Map([['rul', 'rul_1']]);
  const now = Date.parse('2030-01-01T00:00:00Z');
  expect(
    asSent({ rule: RULE, other: ['chn', `${RULE}x`], at: '2026-11-21T15:36:28Z', n: null }, ids, now),
  ).toEqual({
    rule: 'rul_1',
    other: ['chn', `${RULE}x`],
    at: '2030-01-01T01:00:00.000Z',
    n: null,
  });
});

it('exampleIdsOf lists the prefixes of the ids that an example contains', () => {
  expect(exampleIdsOf({ rule_ids: [RULE] })).toEqual(['rul']);
  expect(exampleIdsOf(undefined)).toEqual([]);
});
