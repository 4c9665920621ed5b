import { expect, it } from 'vitest';
import { selectorText, tagsText } from './marker-words.ts';

it.each([
  [{}, 'all hosts'],
  [{ hosts: ['web-*', 'db-1'] }, 'web-*, db-1'],
  [{ tags: { role: 'api', region: ['eu-*', 'us-1'] } }, 'role=api, region=eu-* | us-1'],
  [{ hosts: ['a\u202e'], tags: { role: 'api' } }, 'a\\u202e; role=api'],
])('shows the hosts %j as %s', (selector, text) => {
  expect(selectorText(selector)).toBe(text);
});

it('shows the tags of a marker in one line', () => {
  expect(tagsText({ version: '1.4.2', by: 'ci' })).toBe('version=1.4.2, by=ci');
});
