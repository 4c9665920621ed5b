import { expect, it } from 'vitest';
import { exceededBounds, inheritBounds, type KeyBounds } from './key-bounds.ts';

const FREE: KeyBounds = { hosts: null, expires_at: null, rate_limit_per_minute: null };
const BOUND: KeyBounds = { hosts: ['web-*'], expires_at: 1_000, rate_limit_per_minute: 100 };
const fields = (own: KeyBounds, other: KeyBounds) => exceededBounds(own, other).map(({ field }) => field);

it.each<[string, KeyBounds, KeyBounds, string[]]>([
  ['an unbounded key makes any', FREE, BOUND, []],
  ['a bounded key makes none without bounds', BOUND, FREE, ['hosts', 'expires_at', 'rate_limit_per_minute']],
  ['equal bounds', BOUND, BOUND, []],
  ['narrower bounds', BOUND, { hosts: ['web-1*'], expires_at: 999, rate_limit_per_minute: 1 }, []],
  ['more hosts', BOUND, { ...BOUND, hosts: ['web-1', 'db-1'] }, ['hosts']],
  ['a later end', BOUND, { ...BOUND, expires_at: 1_001 }, ['expires_at']],
  ['a higher rate', BOUND, { ...BOUND, rate_limit_per_minute: 101 }, ['rate_limit_per_minute']],
])('%s', (_, own, other, expected) => expect(fields(own, other)).toEqual(expected));

it('a new API key inherits the bounds that are not given, and keeps those that are', () => {
  expect(inheritBounds(BOUND, FREE)).toEqual(BOUND);
  expect(inheritBounds(BOUND, { ...FREE, hosts: ['web-1'] })).toEqual({ ...BOUND, hosts: ['web-1'] });
  expect(inheritBounds(FREE, FREE)).toEqual(FREE);
});
