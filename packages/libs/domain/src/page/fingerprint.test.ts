import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';

test.each([
  [1, 'af63ac4c86019afc'],
  ['', '07cc7607b4949e25'],
])('of %j is as any FNV-1a of its JSON', (value, wanted) => {
  expect(fingerprint(value)).toBe(wanted);
});
