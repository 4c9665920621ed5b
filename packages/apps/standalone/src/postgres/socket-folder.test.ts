import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeSocketFolder, socketFolder } from './socket-folder.ts';
import { PostgresUnusableError } from './unusable.ts';

const uid = process.getuid?.() ?? 0;
let shared: string;
let path: string;

beforeEach(() => {
  shared = folderForTest();
  path = join(shared, 'folder');
});

const make = (owners = [uid]) => makeSocketFolder(path, '/elsewhere', owners);

it('the socket folder is beside the data if its path is short enough, else below the temporary folder', () => {
  expect(socketFolder('/data/postgres')).toBe('/data/postgres/run');
  expect(socketFolder(`/${'long/'.repeat(30)}postgres`)).toMatch(/\/tidewatch-[0-9a-f]{12}$/);
});

describe('a folder below one that others share', () => {
  it('is made private, and can be used again', () => {
    make();
    expect(statSync(path).mode & 0o777).toBe(0o700);
    make();
  });

  /** Makes the folder with this mode, whatever the process masks. */
  const makeFolder = (mode: number) => {
    mkdirSync(path);
    chmodSync(path, mode);
  };

  it.each<[string, () => void]>([
    ['is open to others', () => makeFolder(0o777)],
    ['may be read by others', () => makeFolder(0o755)],
    [
      'is a link',
      () => {
        mkdirSync(`${path}-of-others`, { mode: 0o700 });
        symlinkSync(`${path}-of-others`, path);
      },
    ],
  ])('is refused where it %s', (_, prepare) => {
    prepare();
    expect(() => make()).toThrow(PostgresUnusableError);
  });

  it('is refused if it is a file', () => {
    writeFileSync(path, '');
    expect(() => make()).toThrow();
  });

  it('is refused if another user created it', () => {
    mkdirSync(path, { mode: 0o700 });
    expect(() => make([uid + 1])).toThrow(PostgresUnusableError);
  });

  it('is refused if everybody may replace it', () => {
    chmodSync(shared, 0o777);
    expect(() => make()).toThrow('sticky');
    chmodSync(shared, 0o1777);
    make();
  });
});

it('a socket folder of the data directory itself is made private again', () => {
  mkdirSync(path);
  chmodSync(path, 0o755);
  makeSocketFolder(path, shared, [uid]);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
