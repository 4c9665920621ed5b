import { expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

it.each([
  ['/', '/'],
  ['/alerts?status=all&from=-2h#top', '/alerts?status=all&from=-2h#top'],
  ['/services?q=ä b', '/services?q=%C3%A4%20b'],
  ['/alerts/../rules', '/rules'],
])('leads to the page at %s', (to, path) => {
  expect(returnPath(to)).toBe(path);
});

it.each([
  'https://evil.example/',
  '//evil.example/alerts',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/..//evil.example/',
  'javascript:alert(1)',
  'alerts',
  '',
  '/api/v1/session',
  '/docs',
  '/%2f%2fevil.example',
  '//',
])('leads nowhere for %j, which is no page of this origin', (to) => {
  expect(returnPath(to)).toBeUndefined();
});
