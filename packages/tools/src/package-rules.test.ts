import { expect, test } from 'vitest';
import { brokenRules, expectedScripts, type PackageFiles } from './package-rules.ts';

const folder = 'packages/libs/domain';
const complete: PackageFiles = {
  folder,
  name: '@tidewatch/domain',
  scripts: expectedScripts(folder),
  readme: '# @tidewatch/domain\n\nIt may import contracts. `npm test` runs its tests.\n',
  tsconfig: { extends: '../../../tsconfig.json' },
};

test('a package with its scripts, README and TypeScript configuration breaks no rule', () => {
  expect(brokenRules(complete)).toEqual([]);
});

test.each<[string, Partial<PackageFiles>]>([
  ['the script "test"', { scripts: { ...expectedScripts(folder), test: 'vitest' } }],
  ['the script "typecheck"', { scripts: { test: expectedScripts(folder).test ?? '' } }],
  ['README.md', { readme: undefined }],
  ['README.md', { readme: '# @tidewatch/domain\n' }],
  ['tsconfig.json', { tsconfig: undefined }],
  ['tsconfig.json', { tsconfig: { ...complete.tsconfig, compilerOptions: { strict: false } } }],
])('a package is reported for %s', (part, change) => {
  expect(brokenRules({ ...complete, ...change })).toEqual([expect.stringContaining(part)]);
});
