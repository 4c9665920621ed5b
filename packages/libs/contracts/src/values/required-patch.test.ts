import { expect, test } from 'vitest';
import { requirePatch } from './required-patch.ts';

const library = { library: 'postgres', required: 'tidewatch 2' };

test('requirePatch accepts a library that has the patch', () => {
  expect(() => requirePatch({ ...library, found: 'tidewatch 2' })).not.toThrow();
});

test.each([
  ['without a patch', undefined, 'postgres has no patch'],
  ['with an earlier patch', 'tidewatch 1', 'postgres has the patch "tidewatch 1"'],
])('refuses a library %s, and says how to mend it', (_, found, said) => {
  expect(() => requirePatch({ ...library, found })).toThrow(said);
  expect(() => requirePatch({ ...library, found })).toThrow('Run "npm ci"');
});
