import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DAY_MS } from '@tidewatch/contracts/values/duration';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import type { Sql } from '@tidewatch/store/database/connection';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDirectory, readPasswords } from '../data-directory.ts';
import { connectAdmin, DATABASE, openServer, provision } from '../database.ts';
import { backUp } from './backup.ts';
import { openData } from './open-data.ts';
import { restore } from './restore.ts';

const logger = createSilentLogger();
const clock = () => Date.UTC(2026, 0, 2);
let folder: string;
let source: string;
let file: string;

async function withData<R>(directory: string, work: (sql: Sql) => Promise<R>): Promise<R> {
  const lifecycle = createLifecycle(logger);
  try {
    return await work((await openData(lifecycle, directory, clock(), logger)).sql);
  } finally {
    await lifecycle.close();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-backup-'));
  source = join(folder, 'source');
  file = join(folder, 'everything.backup');
  makeDataDirectory(source);
  const server = await openServer(source, logger);
  await provision(server, source);
  const admin = connectAdmin(server.host, server.port, readPasswords(source).postgres, DATABASE);
  await admin.sql`insert into organizations (id, name) values ('org_1', ${'tab\t feed\n return\r, \u2028 and \\. too'})`;
  await admin.sql`select ensure_partition('samples', ${clock()}::timestamptz, ${clock() + DAY_MS}::timestamptz)`;
  await admin.sql`insert into samples (time, block_id, v0) values (${clock()}, 1, 'NaN'), (${clock() + 1}, 1, 0.1)`;
  await admin.sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
    values ('org_1', 'svc_1', 'host', 'a', 0)`;
  await admin.sql`update revisions set revision = 7 where name = 'rules'`;
  await admin.close();
  await server.stop();
  await backUp(source, file, clock, logger);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what was backed up is there after a restore, to the last digit', async () => {
  const target = join(folder, 'target');
  expect(await restore(target, file, clock, logger)).toBeGreaterThan(4);
  const read = (sql: Sql) =>
    sql`select (select name from organizations) as name, (select revision from revisions where name = 'rules') as revision,
      (select string_agg(v0::text, ' ' order by time) from samples) as samples`;
  const before = await withData(source, read);
  expect(await withData(target, read)).toEqual(before);
  expect(before[0]?.samples).toBe('NaN 0.1');
  const next = await withData(
    target,
    (sql) => sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
      values ('org_1', 'svc_2', 'host', 'b', 0) returning id`,
  );
  expect(next[0]?.id).toBe(2);
});

test('a folder with data is refused and keeps what it has', async () => {
  await expect(restore(source, file, clock, logger)).rejects.toThrow('There is data already');
  const rows = await withData(source, (sql) => sql`select 1 from samples`);
  expect(rows).toHaveLength(2);
});

test.each<[string, (text: string) => string, string]>([
  ['is cut off', (text) => text.slice(0, -20), 'ends too early'],
  ['is something else', () => 'hello', 'not a backup'],
  ['belongs to a newer schema', (text) => text.replace('"schema":', '"schema":9'), 'schema version 9'],
  [
    'lacks tables that its header names',
    (text) => `${text.slice(0, text.indexOf('\n{"table":"silences"}'))}\n{"end":true}\n`,
    'lacks tables that its header names: silences',
  ],
  [
    'has a table twice',
    (text) => text.replace(/(\{"table":"revisions"\}\n[\s\S]*?\n\\\.\n)/, '$1{"table":"revisions"}\n\\.\n'),
    'has the table revisions, which its header does not name, or has it twice',
  ],
  [
    'has a table that its header does not name',
    (text) => text.replace('{"table":"revisions"}', '{"table":"strangers"}'),
    'has the table strangers, which',
  ],
  [
    'lacks a row',
    (text) => text.replace(/(\{"table":"samples"\}\n)[^\n]*\n/, '$1'),
    'It is not a whole backup',
  ],
  [
    'has a header without a table of its schema',
    (text) => text.replace(/\{"name":"revisions","columns":\[[^\]]*\]\},/, ''),
    'without revisions',
  ],
  [
    'has a line that is neither row nor heading',
    (text) => text.replace('{"end":true', '{"ende":true'),
    'damaged',
  ],
])('a file that %s is refused, and leaves no database', async (_name, change, message) => {
  const bad = join(folder, 'bad.backup');
  writeFileSync(bad, gzipSync(change(gunzipSync(readFileSync(file)).toString())));
  await expect(restore(join(folder, 'bad'), bad, clock, logger)).rejects.toThrow(message);
  expect(existsSync(join(folder, 'bad', 'postgres'))).toBe(false);
});

test('a file whose compressed end is missing is refused', async () => {
  const bad = join(folder, 'bad.backup');
  const whole = readFileSync(file);
  writeFileSync(bad, whole.subarray(0, whole.length - 200));
  await expect(restore(join(folder, 'bad'), bad, clock, logger)).rejects.toThrow();
  expect(existsSync(join(folder, 'bad', 'postgres'))).toBe(false);
});

test('a backup of a version that counted no rows is restored', async () => {
  const older = join(folder, 'older.backup');
  const text = gunzipSync(readFileSync(file)).toString();
  writeFileSync(older, gzipSync(text.replace(/\{"end":true,"rows":\d+\}\n$/, '{"end":true}\n')));
  expect(await restore(join(folder, 'older'), older, clock, logger)).toBeGreaterThan(4);
});
