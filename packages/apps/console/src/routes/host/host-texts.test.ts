import { expect, it } from 'vitest';
import { noSeriesText, seriesName, tabOf } from './host-texts.ts';

it.each([
  [undefined, 'metrics'],
  ['rules', 'rules'],
  ['toString', 'metrics'],
])('opens the tab %s as %s', (tab, name) => {
  expect(tabOf({ tab })).toBe(name);
});

it('charts the field that a rule on containers evaluates', () => {
  expect(seriesName('filesystem.used_percent', 'part:filesystem:/var')).toBe('used_percent');
  expect(seriesName('filesystem.used_percent')).toBe('filesystem.used_percent');
  expect([seriesName('container.cpu_percent'), seriesName('cpu_percent')]).toEqual([
    'cpu_percent',
    'cpu_percent',
  ]);
});

it.each([
  ['cpu_percent', 'host', false],
  ['process.cpu_percent', 'process:reindex', true],
  ['host.silent_minutes', 'host', true],
])('explains a missing series of %s (%s): %s', (metric, subject, isExplained) => {
  expect(noSeriesText(metric, subject) !== undefined).toBe(isExplained);
});
