import { SCOPES } from '@tidewatch/contracts/values/access';
import { expect, it } from 'vitest';
import { keyState, SCOPE_WORDS } from './key-words.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const EARLIER = '2026-11-26T11:00:00.000Z';
const LATER = '2026-11-26T13:00:00.000Z';

it.each([
  ['without an end', null, null, null, 'valid'],
  ['before its end', null, LATER, null, 'valid'],
  ['with a successor, within the grace period', null, LATER, 'key_2', 'replaced'],
  ['with a successor, after the grace period', null, EARLIER, 'key_2', 'expired'],
  ['after its end', null, EARLIER, null, 'expired'],
  ['that was revoked within the grace period', EARLIER, LATER, 'key_2', 'revoked'],
] as const)('a key %s is in the right state', (_case, revoked_at, expires_at, replaced_by, state) => {
  expect(keyState({ revoked_at, expires_at, replaced_by }, NOW)).toBe(state);
});

it('every scope of the contract has words', () => {
  expect(Object.keys(SCOPE_WORDS)).toEqual(SCOPES);
});
