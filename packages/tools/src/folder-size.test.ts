import { expect, it } from 'vitest';
import { crowdedFolders } from './folder-size.ts';

const files = (folder: string, count: number, ending = '.ts') =>
  Array.from({ length: count }, (_, number) => `${folder}/file-${number}${ending}`);

it('accepts a folder of 20 sources with folders of their own below it', () => {
  expect(crowdedFolders([...files('a', 20), ...files('a/b', 20)])).toEqual([]);
});

it('refuses a folder of 21 sources', () => {
  expect(crowdedFolders([...files('a', 21), ...files('b', 2)])).toEqual([
    expect.stringContaining('a: has 21 sources'),
  ]);
});

it('counts neither tests nor harnesses and fixtures', () => {
  const others = ['.test.ts', '.integration.test.ts', '.harness.ts', '.fixture.ts'];
  expect(crowdedFolders([...files('a', 20), ...others.flatMap((ending) => files('a', 9, ending))])).toEqual(
    [],
  );
});
