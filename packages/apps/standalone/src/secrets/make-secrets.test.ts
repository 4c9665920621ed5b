import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import { makeSecrets } from './make-secrets.ts';

let directory: string;
let passwords: number;

beforeEach(() => {
  directory = folderForTest();
  passwords = 0;
});

const make = (databaseAddress = 'db:5432/tidewatch') =>
  makeSecrets({
    directory,
    databaseAddress,
    redisAddress: 'valkey:6379',
    newPassword: () => `password-${++passwords}`,
    newSecretKey: () => 'ab'.repeat(32),
  });
const text = (path: string) => readFileSync(join(directory, path), 'utf8').trim();

test('every process gets a database password of its own, and an address with it', () => {
  const made = make();
  expect(made).toHaveLength(9);
  expect(new Set(made.map((file) => readFileSync(file, 'utf8'))).size).toBe(9);
  expect(text('channels/secret-key')).toBe('ab'.repeat(32));
  expect(text('database/url')).toBe(`postgres://postgres:${text('database/password')}@db:5432/tidewatch`);
  expect(text('api/url')).toBe(`postgres://tidewatch_api_login:${text('api/password')}@db:5432/tidewatch`);
  expect(text('redis/url')).toBe(`redis://:${text('redis/password')}@valkey:6379`);
  expect(text('redis/redis.conf')).toBe(`requirepass ${text('redis/password')}`);
  expect(text('kafka/jaas.conf')).toContain(`user_tidewatch="${text('kafka/password')}"`);
});

test('the secret files are read-only, and readable by the processes that need them', () => {
  for (const file of make()) expect(statSync(file).mode & 0o777).toBe(0o444);
});

test('creating secrets a second time changes no password', () => {
  make();
  const before = text('writer/password');
  expect(make()).toEqual([]);
  expect(text('writer/password')).toBe(before);
});

test('secrets for a database that has moved contain the new address with the old passwords', () => {
  make();
  make('elsewhere:6432/tidewatch');
  expect(text('writer/url')).toBe(
    `postgres://tidewatch_writer_login:${text('writer/password')}@elsewhere:6432/tidewatch`,
  );
});

test('a lost password is created again, and the others are unchanged', () => {
  make();
  const kept = text('api/password');
  rmSync(join(directory, 'redis/password'));
  expect(make()).toEqual([join(directory, 'redis/password')]);
  expect(text('api/password')).toBe(kept);
  expect(text('redis/redis.conf')).toBe(`requirepass ${text('redis/password')}`);
});
