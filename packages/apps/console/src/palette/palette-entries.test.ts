import { PAGES, SERVED_PAGES } from '@tidewatch/contracts/console/paths';
import { expect, it } from 'vitest';
import { parsePreferences } from '../preferences/preferences.ts';
import { commandEntries, matches, PAGE_WORDS, pageEntries, silencedHost } from './palette-entries.ts';

it('leads to every page that the console has, apart from the sign-in and pages of one object', () => {
  const pages = SERVED_PAGES.filter((name) => !PAGES[name].path.includes(':id') && name !== 'signIn');
  expect(pageEntries().map(({ id }) => id.replace('page ', ''))).toEqual(expect.arrayContaining([...pages]));
  expect(Object.keys(PAGE_WORDS)).toEqual(expect.arrayContaining([...pages]));
});

it.each([
  ['', true],
  ['rul', true],
  ['NEW rule', true],
  ['rule threshold', true],
  ['rule host', false],
])('finds "New rule" by "%s": %s', (text, isFound) => {
  expect(
    matches({ id: '', label: 'New rule', words: 'create threshold', action: { kind: 'shortcuts' } }, text),
  ).toBe(isFound);
});

it.each([
  ['silence web-01', 'web-01'],
  ['Silence  db 3 ', 'db 3'],
  ['silence', null],
  ['silences', null],
  ['web-01', null],
])('takes "%s" as a command about the host %s', (text, host) => {
  expect(silencedHost(text)).toBe(host);
});

it('offers the preferences that are not chosen', () => {
  const labels = (stored: object) =>
    commandEntries(parsePreferences(JSON.stringify(stored))).map(({ label }) => label);
  expect(labels({})).toEqual(
    expect.arrayContaining(['Dark theme', 'Show times in UTC', 'Disable shortcuts of single characters']),
  );
  const other = labels({ theme: 'dark', zone: 'utc', shortcuts: 'off' });
  expect(other).toEqual(
    expect.arrayContaining([
      'Theme of the system',
      'Show times in local time',
      'Enable shortcuts of single characters',
    ]),
  );
  expect(other).not.toContain('Dark theme');
});
