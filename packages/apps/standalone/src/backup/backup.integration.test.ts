import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { folderForFile } from '@tidewatch/harness/opened';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { ensurePackedPartitions } from '@tidewatch/store/sample-days/packed-partitions';
import { appendLog } from '@tidewatch/store/sample-log/append-log';
import { Sealer } from '@tidewatch/store/sample-log/sealer';
import { beforeAll, expect, test } from 'vitest';
import { makeDataDirectory, readPasswords } from '../data-directory/data-directory.ts';
import { connectAdmin, DATABASE, openServer, provision } from '../database.ts';
import { backUp } from './backup.ts';
import { openData } from './open-data.ts';
import { restore } from './restore.ts';

const earlierSchema = fileURLToPath(
  new URL('../../../../libs/store/src/schema/fixtures/earlier-schema.plain.sql', import.meta.url),
);
const logger = createSilentLogger();
const clock = () => Date.UTC(2026, 0, 2);
const folder = folderForFile();
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
  await admin.sql`
    insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes) values ('org_1', 'key_1', 'a', '', 'a', '{read}')`;
  await admin.sql`
    insert into sessions (organization_id, id, key_id, token_sha256, kind, scopes, created_at, last_used_at, confirmed_until, expires_at)
    values ('org_1', 'ses_1', 'key_1', 'a', 'person', '{read}', now(), now(), now(), now() + interval '1 day')`;
  await admin.sql`
    insert into sign_in_links (organization_id, id, key_id, secret_sha256, kind, name, scopes, created_at, expires_at)
    values ('org_1', 'lnk_1', 'key_1', 'a', 'person', 'a', '{read}', now(), now() + interval '1 day')`;
  await admin.sql`update revisions set revision = 7 where name = 'rules'`;
  await keepPacked(admin.sql);
  await admin.close();
  await server.stop();
  await backUp(source, file, clock, logger);
});

/** Makes the source keep samples as a log, with rows in each relation of it. */
async function keepPacked(sql: Sql): Promise<void> {
  await sql`update storage_backend set sample_layout = 'log'`;
  for (let time = clock(); time < clock() + 3; time += 1) {
    await append(sql, time, 0.1);
    if (time === clock() + 1) await new Sealer({ sql, clock }).sealAll();
  }
  const data = Buffer.from('\\N\n\\.\n\t');
  const at = clock() - DAY_MS;
  await ensurePackedPartitions(sql, {
    sample_days: [at],
    packed_minutes: [at],
    packed_hours: [at],
    packed_days: [at],
  });
  await sql`select ensure_packed_partition('snapshot_chunks', ${at}::timestamptz, ${clock()}::timestamptz)`;
  await sql`insert into sample_days (block_id, day, data) values (1, ${at}::timestamptz, ${data})`;
  await sql`insert into packed_minutes (block_id, day, data) values (1, ${at}::timestamptz, ${data})`;
  await sql`insert into packed_hours (block_id, day, data) values (1, ${at}::timestamptz, ${data})`;
  await sql`insert into packed_days (block_id, month, data) values (1, ${at}::timestamptz, ${data})`;
  await sql`insert into closed_days (day, closed_to, closed_at) values (${at}::timestamptz, 2147483647, ${clock()})`;
  await sql`insert into snapshot_log (organization_id, bucket, seq, first, last, data)
    values ('org_1', 0, nextval('sample_log_seq'), ${clock()}, ${clock()}, ${data})`;
  await sql`insert into snapshot_chunks (organization_id, service_id, first, last, seq, containers, processes, data)
    values ('org_1', 'svc_1', ${at}, ${at}, nextval('sample_log_seq'), 0, 1, ${data})`;
}

function append(sql: Sql, time: number, value: number): Promise<number[]> {
  const values = Array.from({ length: 16 }, (_, slot) => (slot === 0 ? value : Number.NaN));
  const sample = { organizationId: 'org_1', serviceId: 'svc_1', anchor: 1, time, ids: [1], values };
  return sql.begin((tx) => appendLog(tx, [sample])) as Promise<number[]>;
}

test('a restored installation has all data of the backup, to the last digit', async () => {
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

test('a restored installation keeps samples in the layout of the backup, and numbers new ones beyond all of it', async () => {
  const target = join(folder, 'packed');
  await restore(target, file, clock, logger);
  const tables = [
    'sample_log',
    'sample_buckets',
    'sample_chunks',
    'sample_days',
    'packed_minutes',
    'packed_hours',
  ];
  tables.push('packed_days', 'closed_days', 'snapshot_log', 'snapshot_chunks', 'storage_backend');
  const read = async (sql: Sql) => {
    const rows: Record<string, string[]> = {};
    for (const table of tables) {
      const found = await sql<{ text: string }[]>`select t::text as text from ${sql(table)} t order by 1`;
      rows[table] = found.map(({ text }) => text);
    }
    return rows;
  };
  const before = await withData(source, read);
  for (const table of tables) expect(before[table], table).not.toEqual([]);
  expect(await withData(target, read)).toEqual(before);
  const [layout, next] = await withData(target, async (sql) => [
    await sql`select sample_layout from storage_backend`,
    await append(sql, clock(), 0.2),
  ]);
  expect(layout).toEqual([{ sample_layout: 'log' }]);
  const [last] = await withData(source, (sql) => sql`select max(seq)::integer as seq from snapshot_chunks`);
  expect(next).toEqual([last?.seq + 1]);
});

test('no session and no sign-in link of a backup is valid after a restore, and cookies have another name', async () => {
  const target = join(folder, 'signed-out');
  await restore(target, file, clock, logger);
  const read = (sql: Sql) =>
    sql`select (select count(*) from sessions)::int as sessions, (select count(*) from sign_in_links)::int as links,
      (select cookie_id from installation) as cookie, (select count(*) from api_keys)::int as keys`;
  const [[before], [after]] = [await withData(source, read), await withData(target, read)];
  expect(before).toMatchObject({ sessions: 1, links: 1, keys: 1 });
  expect(after).toMatchObject({ sessions: 0, links: 0, keys: 1, cookie: expect.stringMatching(/^\d{8}$/) });
  expect(after?.cookie).not.toBe(before?.cookie);
});

test('a restore into a folder with data is refused and does not change the data', async () => {
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

test('a backup file whose compressed end is missing is refused', async () => {
  const bad = join(folder, 'bad.backup');
  const whole = readFileSync(file);
  writeFileSync(bad, whole.subarray(0, whole.length - 200));
  await expect(restore(join(folder, 'bad'), bad, clock, logger)).rejects.toThrow();
  expect(existsSync(join(folder, 'bad', 'postgres'))).toBe(false);
});

test('a backup of a version that did not count rows is restored', async () => {
  const older = join(folder, 'older.backup');
  const text = gunzipSync(readFileSync(file)).toString();
  writeFileSync(older, gzipSync(text.replace(/\{"end":true,"rows":\d+\}\n$/, '{"end":true}\n')));
  expect(await restore(join(folder, 'older'), older, clock, logger)).toBeGreaterThan(4);
});

/** A backup written by the last version with the schema from before the baseline. */
const earlier = fileURLToPath(new URL('./fixtures/schema-46.backup', import.meta.url));

test('a backup of the last earlier schema is restored under the present names of its tables and columns', async () => {
  const target = join(folder, 'earlier');
  expect(await restore(target, earlier, clock, logger)).toBeGreaterThan(10);
  const [row] = await withData(
    target,
    (
      sql,
    ) => sql`select a.organization_id, a.id, n.notified_at, n.withheld, s.evaluated_at, w.sent_at_once, b.name as backend,
        (select v0 from samples) as value, (select event ->> 'id' from outbox) as event
      from alerts a cross join storage_backend b
      join alert_notices n on n.organization_id = a.organization_id and n.alert_id = a.id
      join rule_states s on s.organization_id = a.organization_id and s.alert_id = a.id
      join notification_windows w on w.organization_id = a.organization_id and w.rule_id = a.rule_id`,
  );
  expect(row).toEqual({
    organization_id: 'org_1',
    id: 'alr_1',
    notified_at: clock(),
    withheld: ['flapping'],
    evaluated_at: clock(),
    sent_at_once: 3,
    backend: 'plain',
    value: 97.5,
    event: 'evt_1',
  });
});

test('a backup of an earlier schema that is not the last one is refused', async () => {
  const older = join(folder, 'earlier-45.backup');
  const text = gunzipSync(readFileSync(earlier)).toString();
  writeFileSync(older, gzipSync(text.replace('"schema":46', '"schema":45')));
  await expect(restore(join(folder, 'bad'), older, clock, logger)).rejects.toThrow('earlier schema 45');
  expect(existsSync(join(folder, 'bad', 'postgres'))).toBe(false);
});

test('the product does not start on a data directory with the earlier schema, which can be backed up', async () => {
  const old = join(folder, 'old');
  makeDataDirectory(old);
  const server = await openServer(old, logger);
  try {
    const connect = (database: string) =>
      connectAdmin(server.host, server.port, readPasswords(old).postgres, database);
    const maintenance = connect('postgres');
    await maintenance.sql.unsafe(`create database ${DATABASE}`).finally(() => maintenance.close());
    const admin = connect(DATABASE);
    await admin.sql
      .unsafe(readFileSync(earlierSchema, 'utf8'))
      .simple()
      .finally(() => admin.close());
    const refused = await provision(server, old).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartRefusedError);
    expect(String(refused)).toContain('0046_firing_not_notified.sql');
    expect(String(refused)).toContain('npm run backup -- FILE');
  } finally {
    await server.stop();
  }
  const exported = join(folder, 'old.backup');
  await backUp(old, exported, clock, logger);
  const [header] = gunzipSync(readFileSync(exported)).toString().split('\n');
  expect(JSON.parse(header ?? '')).toMatchObject({ tidewatch_backup: 1, schema: 46 });
});
