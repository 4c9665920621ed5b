import { AUDIT_ACTIONS, AUDIT_OBJECTS } from '@tidewatch/contracts/audit/audit';
import { expect, it } from 'vitest';
import { auditQuery } from './audit-query.ts';
import { ACTION_WORDS, OBJECT_WORDS } from './audit-words.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

it('has words for every action and kind of object of the contract', () => {
  expect(Object.keys(ACTION_WORDS)).toEqual(AUDIT_ACTIONS);
  expect(Object.keys(OBJECT_WORDS)).toEqual(AUDIT_OBJECTS);
});

it.each([
  [{}, {}],
  [{ action: 'rule.updated' }, { action: 'rule.updated' }],
  [{ action: 'rule.renamed' }, {}],
  [{ object: 'rule' }, { object_type: 'rule' }],
  [{ object: 'rul_1' }, { object_id: 'rul_1' }],
  [{ actor: 'key_1' }, { key_id: 'key_1' }],
  [{ from: '-24h' }, { from: '2026-11-25T12:00:00.000Z' }],
  [
    { from: '2026-11-01T00:00:00+01:00', to: '2026-11-02T00:00:00Z' },
    { from: '2026-10-31T23:00:00.000Z', to: '2026-11-02T00:00:00.000Z' },
  ],
] as const)('the parameters %j ask the API for %j', (search, query) => {
  expect(auditQuery(search, NOW)).toEqual(query);
});
