import { keyInputSchema } from '@tidewatch/contracts/keys/key';
import { expect, it } from 'vitest';
import { grantable, keyBody, NEW_KEY } from './key-draft.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const body = (fields: object) => keyBody({ ...NEW_KEY, ...fields }, NOW, 'utc');

it('an untouched form lacks a name and scopes and nothing else', () => {
  const read = keyInputSchema.safeParse(body({}));
  expect(read.error?.issues.map(({ path }) => path)).toEqual([['name'], ['scopes']]);
});

it('all fields of the form reach the key', () => {
  const filled = {
    name: 'agents',
    scopes: ['ingest'],
    hosts: ['web-*'],
    rate_limit_per_minute: 60,
    ends: '30',
  };
  expect(keyInputSchema.parse(body(filled))).toEqual({
    name: 'agents',
    scopes: ['ingest'],
    hosts: ['web-*'],
    rate_limit_per_minute: 60,
    expires_at: Date.parse('2026-12-26T12:00:00Z'),
  });
});

it.each([
  ['', '', null],
  ['365', '', '2027-11-26T12:00:00.000Z'],
  ['at', '2027-01-31T08:00', '2027-01-31T08:00:00.000Z'],
  ['at', '', ''],
])('the end %s %s is sent as %s', (ends, ends_at, expires_at) => {
  expect(body({ ends, ends_at }).expires_at).toBe(expires_at);
});

it.each([
  [['read'], ['read']],
  [
    ['read', 'write', 'admin'],
    ['ingest', 'read', 'write', 'admin'],
  ],
  [['write'], ['read', 'write']],
  [
    ['admin', 'operator'],
    ['ingest', 'read', 'write', 'admin', 'operator'],
  ],
] as const)('somebody with %j may give %j', (own, given) => {
  expect(grantable(own)).toEqual(given);
});
