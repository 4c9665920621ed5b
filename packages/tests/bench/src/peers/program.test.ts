import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findProgram, obstacleOf, parseVersion } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidewatch-programs-'));
const program = join(folder, 'peer-prod');
writeFileSync(program, '');
chmodSync(program, 0o755);
writeFileSync(join(folder, 'peer-notes'), '');

afterAll(() => rmSync(folder, { recursive: true }));

const source = {
  variable: 'TIDEWATCH_BENCH_NO_SUCH_PEER',
  names: ['no-such-peer', 'peer-prod'],
  versionArgs: [],
  origin: 'https://example.com',
};

describe('findProgram', () => {
  test('finds a program in PATH by any of its names', () => {
    expect(findProgram(source, { PATH: `/nowhere:${folder}` })).toBe(program);
  });

  test('prefers the path that the environment variable holds', () => {
    const environment = { PATH: folder, TIDEWATCH_BENCH_NO_SUCH_PEER: process.execPath };
    expect(findProgram(source, environment)).toBe(process.execPath);
  });

  test('does not fall back to PATH if the given path is no program', () => {
    const environment = { PATH: folder, TIDEWATCH_BENCH_NO_SUCH_PEER: join(folder, 'peer-notes') };
    expect(findProgram(source, environment)).toBeUndefined();
  });

  test('finds nothing in an empty environment', () => {
    expect(findProgram(source, {})).toBeUndefined();
  });
});

test('obstacleOf says which program is missing and where it comes from', () => {
  const missing = { ...source, names: ['no-such-peer'] };
  expect(obstacleOf([missing])).toBe(
    'no-such-peer is neither in PATH nor at $TIDEWATCH_BENCH_NO_SUCH_PEER; it comes from https://example.com',
  );
  expect(obstacleOf([])).toBeNull();
});

test.each([
  ['prometheus, version 3.16.0 (branch: , revision: unknown)', '3.16.0'],
  ['victoria-metrics-20261020-101010-tags-v1.151.0-0-gabcdef', '1.151.0'],
  ['InfluxDB v1.6.7~rc0 (git: unknown unknown)', '1.6.7~rc0'],
  ['no version', 'unknown'],
])('parseVersion finds the version of %s', (text, version) => expect(parseVersion(text)).toBe(version));
