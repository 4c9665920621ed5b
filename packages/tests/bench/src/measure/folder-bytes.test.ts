import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { folderBytes } from './folder-bytes.ts';

test('folderBytes counts the files of all folders, without holes', () => {
  const folder = folderForTest();
  mkdirSync(join(folder, 'deep/er'), { recursive: true });
  writeFileSync(join(folder, 'deep/er/a'), Buffer.alloc(1_000_000, 7), { flush: true });
  writeFileSync(join(folder, 'hole'), '');
  truncateSync(join(folder, 'hole'), 500_000_000);
  const bytes = folderBytes(folder);
  expect(bytes).toBeGreaterThanOrEqual(1_000_000);
  expect(bytes).toBeLessThan(2_000_000);
});
