import { expect, it } from 'vitest';
import { entriesNamedBy, needlessExports } from './exported-entries.ts';

const faultsOf = (exports: Record<string, unknown> | undefined, ...imported: string[]) =>
  needlessExports({ name: '@tidewatch/domain', folder: 'packages/libs/domain', exports }, new Set(imported));

it('finds the entry points of packages that a source names', () => {
  const q = "'";
  const source = `import { plan } from ${q}@tidewatch/${'domain'}/rollup/plan${q};\nimport { z } from ${q}zod${q};`;
  expect(entriesNamedBy(source)).toEqual([['@tidewatch/domain', 'rollup/plan']]);
});

it('accepts entry points and folders that other packages import, and folders that are left out', () => {
  const exports = { './sender': './src/sender.ts', './guard/*': './src/guard/*.ts', './guard/inner/*': null };
  expect(faultsOf(exports, 'sender', 'guard/address')).toEqual([]);
});

it('refuses entry points and folders that no other package imports', () => {
  const exports = { './sender': './src/sender.ts', './guard/*': './src/guard/*.ts' };
  expect(faultsOf(exports, 'receiver')).toEqual([
    expect.stringContaining('no other package imports @tidewatch/domain/sender'),
    expect.stringContaining('no other package imports @tidewatch/domain/guard/*'),
  ]);
});

it('refuses a pattern for a whole package, and a package without exports', () => {
  expect(faultsOf({ './*': './src/*.ts' }, 'sender')).toEqual([
    expect.stringContaining('exports everything'),
  ]);
  expect(faultsOf(undefined)).toEqual([expect.stringContaining('needs "exports"')]);
});
