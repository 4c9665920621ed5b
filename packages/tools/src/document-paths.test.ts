import { expect, test } from 'vitest';
import { namedBy } from './document-paths.ts';

test('finds paths in code, relative links and scripts', () => {
  const text =
    'See `packages/libs/bus`, [ours](../a.md#part), [theirs](https://example.org/x), `npm run verify`.';
  expect(namedBy(text)).toEqual({ paths: ['packages/libs/bus'], links: ['../a.md'], scripts: ['verify'] });
});
