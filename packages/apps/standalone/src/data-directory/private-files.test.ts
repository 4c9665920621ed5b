import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, it } from 'vitest';
import { keepPrivate, SECRET_FILES } from './private-files.ts';

let directory: string;
let reported: object[];
const logger = { warn: (fields: object) => void reported.push(fields) } as never;

beforeEach(() => {
  directory = folderForTest();
  reported = [];
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

it.each(SECRET_FILES)('%s is made private and reported if others may read it', (name) => {
  const path = join(directory, name);
  writeFileSync(path, 'x');
  chmodSync(path, 0o644);
  keepPrivate(directory, logger);
  expect(modeOf(path)).toBe(0o600);
  expect(reported).toEqual([{ path, mode: '0644' }]);
  keepPrivate(directory, logger);
  expect(reported).toHaveLength(1);
});

it('a data directory in which others may replace files is closed to them', () => {
  chmodSync(directory, 0o777);
  keepPrivate(directory, logger);
  expect(modeOf(directory)).toBe(0o755);
  expect(reported).toEqual([{ path: directory, mode: '0777' }]);
});

it('nothing is reported about private files', () => {
  chmodSync(directory, 0o711);
  writeFileSync(join(directory, 'admin-key'), 'x', { mode: 0o600 });
  keepPrivate(directory, logger);
  expect(reported).toEqual([]);
});
