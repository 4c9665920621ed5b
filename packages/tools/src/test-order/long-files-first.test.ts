import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FILES_WITH_SETTINGS, LONG_FILES, longFilesFirst } from './long-files-first.ts';

test('long test files begin first within their project, those with settings last, and others keep their order', () => {
  const [longest, second] = Object.keys(LONG_FILES) as [string, string];
  const last = `one /r/${FILES_WITH_SETTINGS[0]}`;
  const files = [last, 'one /r/a.test.ts', `one /r/${second}`, `one /r/${longest}`, 'two /r/b.test.ts'].map(
    (text) => text.split(' '),
  ) as [string, string][];
  const sorted = longFilesFirst(
    [...files, ['two', `/r/${longest}`] as [string, string]],
    ([project]) => project,
    ([, path]) => path,
  );
  expect(sorted.map((file) => file.join(' '))).toEqual([
    `one /r/${longest}`,
    `one /r/${second}`,
    'one /r/a.test.ts',
    last,
    `two /r/${longest}`,
    'two /r/b.test.ts',
  ]);
});

test('each long test file exists, the longest named first', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  expect(Object.keys(LONG_FILES).filter((file) => !existsSync(root + file))).toEqual([]);
  const seconds = Object.values(LONG_FILES);
  expect(seconds).toEqual(seconds.toSorted((one, other) => other - one));
});

test('each scenario that opens its target with settings is known, and no other', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const scenarios = globSync('packages/tests/e2e/src/**/*.test.ts', { cwd: root });
  const withSettings = scenarios.filter((file) =>
    /\bopen(?:Target|Scenario)\((?!\))/.test(readFileSync(root + file, 'utf8')),
  );
  expect(withSettings.toSorted()).toEqual(FILES_WITH_SETTINGS);
});
