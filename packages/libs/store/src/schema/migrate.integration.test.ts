import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@tidewatch/database/connection';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { startEmptyDatabase, type TestDatabase } from '@tidewatch/harness/postgres';
import { beforeEach, expect, it } from 'vitest';
import { ALERT_ORDERS, listAlerts } from '../alerts/list.ts';
import { listAlertsAsOf } from '../alerts/list-as-of.ts';
import { SERVICE_ORDERS } from '../services/list.ts';
import { listServicesAsOf } from '../services/list-as-of.ts';
import { migrate } from './migrate.ts';
import { PACKAGED_MIGRATIONS, readMigrations } from './migration-files.ts';

let database: TestDatabase;
let store: Store;
let directory: string;

beforeEach(async () => {
  database = await openForTest(startEmptyDatabase());
  store = await openForTest(openStore({ url: database.adminUrl, searchPath: 'public' }));
  directory = folderForTest();
  await cp(PACKAGED_MIGRATIONS, directory, { recursive: true });
});

const nextVersion = async () => String((await migrate(store.sql, { directory })).length + 1).padStart(4, '0');

async function addMigration(name: string, files: Record<string, string>): Promise<string> {
  const folder = `${directory}/${await nextVersion()}_${name}`;
  await mkdir(folder);
  for (const [file, sql] of Object.entries(files)) await writeFile(`${folder}/${file}`, sql);
  return folder;
}

it('each migration is applied once, also when two processes migrate at the same time', async () => {
  const second = openStore({ url: database.adminUrl, searchPath: 'public' });
  const applied = await Promise.all([migrate(store.sql, { directory }), migrate(second.sql, { directory })]);
  await second.close();
  expect(applied.map((versions) => versions.length).sort()[0]).toBe(0);
  expect(await migrate(store.sql, { directory })).toEqual([]);
});

it('the files of a migration are applied in the order of their names, and only those of the storage backend', async () => {
  await addMigration('more', {
    '1_table.sql': 'create table tidewatch.more (id integer);',
    '2_rows.plain.sql': 'insert into tidewatch.more values (1);',
    '2_rows.apache-community.sql': 'insert into tidewatch.more values (2);',
    '3_rows.plain-apache.sql': 'insert into tidewatch.more values (3);',
  });
  const migrations = await readMigrations(directory, 'community');
  expect(migrations.at(-1)?.sql).toBe(
    'create table tidewatch.more (id integer);\ninsert into tidewatch.more values (2);',
  );
  await migrate(store.sql, { directory, backend: 'plain' });
  expect(await store.sql`select id from tidewatch.more order by id`).toEqual([{ id: 1 }, { id: 3 }]);
});

it('migration refuses a file that names an unknown storage backend', async () => {
  await addMigration('more', { 'table.timescaledb.sql': 'select 1;' });
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({
    code: 'misnumbered',
    message: expect.stringContaining('table.timescaledb.sql'),
  });
});

it('migration refuses a folder whose number leaves a gap', async () => {
  await mkdir(`${directory}/0099_later`);
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({ code: 'misnumbered' });
});

it('migration refuses to continue if the files of an applied migration were edited', async () => {
  await migrate(store.sql, { directory });
  await writeFile(`${directory}/0001_baseline/01_schema.sql`, 'select 1;');
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({
    name: 'MigrationError',
    code: 'edited',
  });
});

it('migration refuses a database with a newer schema', async () => {
  const folder = await addMigration('more', { 'more.sql': 'create table tidewatch.more (id integer);' });
  await migrate(store.sql, { directory });
  await rm(folder, { recursive: true });
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({ code: 'newer_schema' });
});

it('a failed migration is rolled back completely', async () => {
  await addMigration('bad', { 'bad.sql': 'create table tidewatch.half (id integer); select 1 / 0;' });
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({ code: 'failed' });
  const [row] = await store.sql`select to_regclass('tidewatch.half')::text as half`;
  expect(row?.half).toBeNull();
});

it('a later migration keeps the rows of the tables that it changes', async () => {
  await addMigration('rename', {
    'rename.sql': 'alter table tidewatch.organizations add column region text not null default $$eu$$;',
  });
  await store.sql`insert into tidewatch.organizations (id, name) values ('org_1', 'one')`;
  await migrate(store.sql, { directory });
  expect(await store.sql`select id, name, region from tidewatch.organizations`).toEqual([
    { id: 'org_1', name: 'one', region: 'eu' },
  ]);
});

it('parts that are stored before lists of parts have their host, whether they are gone, and counted metrics after it', async () => {
  const folders = (await readdir(directory)).sort();
  for (const later of folders.slice(folders.findIndex((each) => each.endsWith('_lists_of_parts'))))
    await rm(`${directory}/${later}`, { recursive: true });
  await migrate(store.sql, { directory });
  const { sql } = await openForTest(openStore({ url: database.adminUrl }));
  await sql`insert into organizations (id, name) values ('o', 'one')`;
  await sql`insert into services (organization_id, id, host, first_seen, status_since, archived_at)
    values ('o', 'a', 'host-a', now(), now(), null), ('o', 'b', 'host-b', now(), now(), now())`;
  await sql`insert into parts (organization_id, service_id, kind, name)
    select 'o', s, 'filesystem', n from unnest(array['a', 'b']) s, unnest(array['/', '/old']) n`;
  await sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts, listed)
    select 'o', service_id, 'part', '', 0, array['used', 'used'], array_agg(id order by name), service_id = 'a' from parts group by service_id`;
  await sql`insert into block_latest (block_id, applied_at, times, vals)
    select id, now(), array['2026-11-28', '2026-11-26']::timestamptz[] || array_fill(null::timestamptz, array[14]),
      array[1, 2]::float8[] || array_fill(null::float8, array[14]) from blocks`;
  await migrate(store.sql, { directory: PACKAGED_MIGRATIONS });
  expect(await sql`select host, name, listed, gone from parts order by host, name`).toEqual([
    { host: 'host-a', name: '/', listed: true, gone: false },
    { host: 'host-a', name: '/old', listed: true, gone: true },
    { host: 'host-b', name: '/', listed: false, gone: false },
    { host: 'host-b', name: '/old', listed: false, gone: true },
  ]);
  expect(await sql`select metric, services from metric_counts where metric <> ''`).toEqual([
    { metric: 'filesystem.used', services: 1 },
  ]);
});

it('notifications, investigations and audit records that are stored before their counters are counted, and versions of alerts are found as of a time', async () => {
  const folders = (await readdir(directory)).sort();
  for (const later of folders.slice(folders.findIndex((each) => each.endsWith('_counts_of_lists'))))
    await rm(`${directory}/${later}`, { recursive: true });
  await migrate(store.sql, { directory });
  const { sql } = await openForTest(openStore({ url: database.adminUrl }));
  await sql`insert into organizations (id, name) values ('o', 'one')`;
  await sql`insert into notifications (organization_id, id, event_id, transition, direction, channel, channel_kind, status,
      next_attempt_at, give_up_at, created_at)
    select 'o', 'n' || i, 'e' || i, 'fired', 'opening', 'c', 'webhook', case when i = 1 then 'failed' else 'delivered' end, now(), now(), now()
    from generate_series(1, 3) i`;
  await sql`insert into investigations (organization_id, id, created_at, trigger, service_id, host, title, window_from, window_to,
      status, updated_at)
    select 'o', 'i' || i, '2026-11-20T20:00:00Z'::timestamptz + i / 3 * interval '8 hours', 'alert', 's', 'h', 't', now(), now(), 'failed', now()
    from generate_series(1, 3) i`;
  await sql`insert into audit (organization_id, id, at, key_id, key_name, action, object_type, object_id, object_name)
    select 'o', 'u' || i, '2026-11-20T20:00:00Z'::timestamptz + i / 3 * interval '8 hours', 'k', 'k', 'key.created', 'key', 'k', 'k'
    from generate_series(1, 3) i`;
  await sql`insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, summary, fired_at, created_at, updated_at, context)
    values ('o', 'a', 'r', 'r', 1, 's', 'h', 'host', 'h', 'active', 'firing', 'info', 'm', 'greater_than', '',
      now() - interval '2 hours', now() - interval '1 hour', now() - interval '1 hour', '{}')`;
  await sql`update alerts set status = 'resolved', state = 'resolved', updated_at = now()`;
  await migrate(store.sql, { directory: PACKAGED_MIGRATIONS });
  expect(await sql`select status, count from notification_counts order by status`).toEqual([
    { status: 'delivered', count: 2 },
    { status: 'failed', count: 1 },
  ]);
  const days = [
    { day: '2026-11-20', of: 'failed', count: 2 },
    { day: '2026-11-21', of: 'failed', count: 1 },
  ];
  expect(await sql`select day::text, status as of, count from investigation_counts order by 1`).toEqual(days);
  expect(await sql`select day::text, action as of, count from audit_counts order by 1`).toEqual(
    days.map((day) => ({ ...day, of: 'key.created' })),
  );
  const window = { limit: 5, offset: 0, after: null };
  const order = { ...ALERT_ORDERS.fired_at, descending: true };
  const { total, rows } = await listAlertsAsOf(
    sql,
    'o',
    { status: 'active' },
    Date.now() - 1_800_000,
    order,
    window,
  );
  expect([total, rows.map(({ id }) => id)]).toEqual([1, ['a']]);
});

it('services that changed before the intervals of their statuses are listed with the status that they had at a time', async () => {
  const folders = (await readdir(directory)).sort();
  for (const later of folders.slice(folders.findIndex((each) => each.endsWith('_status_intervals'))))
    await rm(`${directory}/${later}`, { recursive: true });
  await migrate(store.sql, { directory });
  const { sql } = await openForTest(openStore({ url: database.adminUrl }));
  await sql`insert into organizations (id, name) values ('o', 'one')`;
  await sql`insert into services (organization_id, id, host, first_seen, status_since)
    select 'o', 's' || i, 'h' || i, now(), now() from generate_series(1, 6) i`;
  const moments: { at: number; listed: { id: string; status: string }[] }[] = [];
  const look = async () => {
    await sleep(3);
    const listed = await sql<{ id: string; status: string }[]>`
      select id, status from services where deleted_at is null and archived_at is null order by id`;
    moments.push({ at: Date.now(), listed: [...listed] });
    await sleep(3);
  };
  await look();
  for (const change of [
    sql`update services set status = 'critical' where id in ('s1', 's2', 's4')`,
    sql`update services set archived_at = now() where id in ('s3', 's4')`,
    sql`update services set tags = '{"a": "b"}', active_info = 1 where id in ('s1', 's5')`,
    sql`update services set archived_at = null, status = 'healthy' where id <> 's2'`,
    sql`update services set deleted_at = now() where id = 's1'`,
    sql`update services set status = 'critical' where id = 's5'`,
  ]) {
    await change;
    await look();
  }
  await migrate(store.sql, { directory: PACKAGED_MIGRATIONS });
  const window = { limit: 10, offset: 0, after: null };
  const order = { ...SERVICE_ORDERS.name, descending: false };
  for (const { at, listed } of moments)
    for (const status of ['healthy', 'critical']) {
      const { total, rows } = await listServicesAsOf(sql, 'o', { status, tag: [] }, at, order, window);
      const wanted = listed.filter((each) => each.status === status);
      expect([at, total, rows.map(({ id }) => ({ id, status }))]).toEqual([at, wanted.length, wanted]);
    }
});

it('alerts of a minute that was crowded before are counted in runs, by which a far offset is found', async () => {
  const folders = (await readdir(directory)).sort();
  for (const later of folders.slice(folders.findIndex((each) => each.endsWith('_runs_of_alerts'))))
    await rm(`${directory}/${later}`, { recursive: true });
  await migrate(store.sql, { directory });
  const { sql } = await openForTest(openStore({ url: database.adminUrl }));
  await sql`insert into organizations (id, name) values ('o', 'one')`;
  await sql`insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, summary, fired_at, context)
    select 'o', 'alr_' || to_hex(1000000000000 + n * 40), 'r', 'r', 1, 's', 'h', 'host', 'h', 'active', 'firing', 'info', 'm',
      'greater_than', '', '2026-11-20T20:00:00Z'::timestamptz + n % 2 * interval '1 s', '{}'
    from generate_series(1, 5000) n`;
  await migrate(store.sql, { directory: PACKAGED_MIGRATIONS });
  expect(
    await sql`select tier, sum(count)::int as count, count(distinct (bucket, part)) > 1 as is_divided
      from alert_counts where tier not in ('rule', '1h', '1d') group by 1 order by 1`,
  ).toEqual([
    { tier: '1m', count: 5_000, is_divided: false },
    { tier: 'run', count: 5_000, is_divided: true },
  ]);
  const order = { ...ALERT_ORDERS.fired_at, descending: true };
  const wanted = await sql<
    { id: string }[]
  >`select id from alerts order by fired_at desc, id desc offset 3700 limit 3`;
  const { rows } = await listAlerts(sql, 'o', {}, order, { limit: 2, offset: 3_700, after: null });
  expect(rows.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
});

it('services that were listed before their transactions were stored count as listed before all later ones', async () => {
  const folders = (await readdir(directory)).sort();
  for (const later of folders.slice(folders.findIndex((each) => each.endsWith('_names_since'))))
    await rm(`${directory}/${later}`, { recursive: true });
  await migrate(store.sql, { directory });
  const { sql } = await openForTest(openStore({ url: database.adminUrl }));
  await sql`insert into organizations (id, name) values ('o', 'one')`;
  const add = (host: string) => sql`insert into services (organization_id, id, host, first_seen, status_since)
    values ('o', ${host}, ${host}, now(), now())`;
  await add('before');
  await migrate(store.sql, { directory: PACKAGED_MIGRATIONS });
  const [row] = await sql`select pg_snapshot_xmin(pg_current_snapshot())::text::int8 as xmin`;
  await add('after');
  expect(
    await sql`select host, listed_in >= ${row?.xmin}::int8 as is_later from service_names order by host`,
  ).toEqual([
    { host: 'after', is_later: true },
    { host: 'before', is_later: false },
  ]);
});

it('a new database has the layout of samples that the migration is given', async () => {
  await migrate(store.sql, { backend: 'plain', sampleLayout: 'log' });
  expect(await store.sql`select sample_layout from tidewatch.storage_backend`).toEqual([
    { sample_layout: 'log' },
  ]);
});

it('a database with an organization keeps samples as rows when it is migrated', async () => {
  const folders = (await readdir(directory)).sort();
  for (const later of folders.slice(folders.findIndex((each) => each.endsWith('_layout_of_new_databases'))))
    await rm(`${directory}/${later}`, { recursive: true });
  await migrate(store.sql, { directory, backend: 'plain', sampleLayout: 'log' });
  await store.sql`insert into tidewatch.organizations (id, name) values ('org_1', 'one')`;
  await migrate(store.sql, { sampleLayout: 'log' });
  expect(await store.sql`select sample_layout from tidewatch.storage_backend`).toEqual([
    { sample_layout: 'rows' },
  ]);
});
