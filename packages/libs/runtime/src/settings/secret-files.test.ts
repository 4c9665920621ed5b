import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig, setting } from './config.ts';
import { httpSettings } from './http-settings.ts';
import { keepSecretPrivate } from './secret-files.ts';

let folder: string;
let path: string;
let reported: { level: string; mode: string }[];
const note = (level: string) => (fields: { mode: string }) =>
  void reported.push({ level, mode: fields.mode });
const logger = { warn: note('warn'), info: note('info') } as never;

beforeEach(() => {
  folder = folderForTest();
  path = join(folder, 'secret');
  writeFileSync(path, 'text');
  reported = [];
});

const modeOf = () => statSync(path).mode & 0o777;

it.each([0o644, 0o640, 0o666, 0o604])(
  'a secret file of this user with mode %o is made private and reported',
  (mode) => {
    chmodSync(path, mode);
    keepSecretPrivate(path, logger);
    expect(modeOf()).toBe(0o600);
    expect(reported).toEqual([{ level: 'warn', mode: mode.toString(8).padStart(4, '0') }]);
  },
);

it.each([0o600, 0o400])('nothing is logged about a secret file with mode %o', (mode) => {
  chmodSync(path, mode);
  keepSecretPrivate(path, logger);
  expect(modeOf()).toBe(mode);
  expect(reported).toEqual([]);
});

it.skipIf(process.geteuid?.() !== 0).each([
  [0o444, 'info'],
  [0o440, 'info'],
  [0o666, 'warn'],
])(
  'a secret file of another owner with mode %o is used as it is, and reported as %s [needs root]',
  (mode, level) => {
    chmodSync(path, mode);
    chownSync(path, 12_345, 12_345);
    keepSecretPrivate(path, logger);
    expect(modeOf()).toBe(mode);
    expect(reported).toMatchObject([{ level }]);
  },
);

it('a missing secret file is not reported here, since the code that reads it does', () => {
  keepSecretPrivate(join(folder, 'none'), logger);
  expect(reported).toEqual([]);
});

it('readConfig calls back with the path of every secret file in the settings: those of _FILE variables and the TLS key', () => {
  const seen: string[] = [];
  const settings = {
    ...httpSettings,
    password: setting({ env: 'TIDEWATCH_X', schema: z.string(), meaning: '', example: '', secret: true }),
  };
  const env = { TIDEWATCH_X_FILE: path, TIDEWATCH_TLS_KEY_FILE: '/k', TIDEWATCH_TLS_CERT_FILE: '/c' };
  expect(readConfig(settings, env, (file) => seen.push(file))).toMatchObject({ password: 'text' });
  expect(seen.toSorted()).toEqual(['/k', path].toSorted());
});
