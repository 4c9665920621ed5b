import { openStore, type Sql, type Store } from '@tidewatch/database/connection';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROUP_ROLES } from '../schema/provision.ts';

/** A database of one storage backend, with a connection as superuser and one as login of the query API. */
export interface TenancyDatabase {
  adminUrl: string;
  apiUrl: string;
  close(): Promise<void>;
}

interface Table {
  name: string;
  secured: boolean;
  policies: string[];
}

/** Tests, for every storage backend, PostgreSQL's catalog: every table with organizations isolates them. */
export function describeTenancy(backend: string, start: () => Promise<TenancyDatabase>): void {
  describe(`tables of organizations, ${backend}`, () => {
    let database: TenancyDatabase;
    let admin: Store;
    let store: Store;
    let sql: Sql;
    let tables: Table[];

    beforeAll(async () => {
      database = await start();
      admin = openStore({ url: database.adminUrl });
      store = openStore({ url: database.apiUrl });
      sql = admin.sql;
      tables = await sql<Table[]>`
        select c.relname as name, c.relrowsecurity as secured,
          array(select polname::text from pg_policy where polrelid = c.oid order by 1) as policies
        from pg_class c
        where c.relnamespace = 'tidewatch'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and (c.relname = 'organizations' or exists (
            select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
        order by 1`;
    });

    afterAll(async () => {
      await store.close();
      await admin.close();
      await database.close();
    });

    it('are all under row-level security, with a policy for the query API', () => {
      expect(tables.length).toBeGreaterThan(20);
      const open = tables.filter(({ secured, policies }) => !secured || !policies.includes('organization'));
      expect(open).toEqual([]);
    });

    it('show nothing to a session without an organization', async () => {
      await fillEach(sql);
      const seen: string[] = [];
      for (const { name } of tables) {
        const [readable] = await store.sql<{ is: boolean }[]>`
          select has_table_privilege(${`tidewatch.${name}`}, 'select') as is`;
        if (!readable?.is) continue;
        if ((await store.sql`select 1 from ${store.sql(name)} limit 1`).length > 0) seen.push(name);
      }
      expect(seen).toEqual([]);
    });

    it('are read through no view that has the rights of its owner, but for those that compare the organization', async () => {
      const views = await sql<{ name: string }[]>`
        select c.relname as name from pg_class c join pg_roles o on o.oid = c.relowner
        where c.relnamespace = 'tidewatch'::regnamespace and c.relkind = 'v' and o.rolname = 'tidewatch_owner'
          and not coalesce('security_invoker=true' = any(c.reloptions), false)
          and pg_get_viewdef(c.oid) not like '%current_setting(''tidewatch.organization''%'
          and not (pg_get_viewdef(c.oid) like '%organization_id = ( SELECT reader_organization()%'
            and 'security_barrier=true' = any(c.reloptions))`;
      expect(views).toEqual([]);
    });

    it('belong to nobody whom the product logs in as, and nobody of them passes by policies', async () => {
      const mighty = await sql`
        select r.rolname from pg_roles r
        where r.rolname in ${sql([...GROUP_ROLES])} and (r.rolsuper or r.rolbypassrls or pg_has_role(r.oid, 'tidewatch_owner', 'usage'))`;
      expect(mighty).toHaveLength(0);
    });

    it.each(['api_keys', 'audit', 'key_hosts'])('%s is no worker’s', async (name) => {
      for (const role of GROUP_ROLES.filter((each) => each !== 'tidewatch_api')) {
        const [row] = await sql<{ reached: boolean }[]>`
          select has_any_column_privilege(${role}, ${`tidewatch.${name}`}, 'select, insert, update') as reached`;
        expect({ role, ...row }).toEqual({ role, reached: false });
      }
    });

    it('are read by the investigator as far as its work goes, and left as they are', async () => {
      await fillEach(sql);
      const packed = (await hasPackedSamples(sql)) ? PACKED_READ_BY_INVESTIGATOR : [];
      await sql.begin(async (tx) => {
        await tx`set local role tidewatch_investigator`;
        for (const name of [...READ_BY_INVESTIGATOR, ...packed]) await tx`select 1 from ${tx(name)} limit 1`;
        await tx`select * from stale_buckets(array[1], now() - interval '1 day', now())`;
        await tx`select * from rollup_standing(array[1])`;
        await tx`update alerts set investigation_id = 'inv_a' where organization_id = 'org_a'`;
      });
      for (const change of [
        "update alerts set severity = 'info'",
        'delete from alerts',
        'delete from samples',
      ]) {
        const refused = sql.begin(async (tx) => {
          await tx`set local role tidewatch_investigator`;
          await tx.unsafe(change);
        });
        await expect(refused, change).rejects.toMatchObject({ code: '42501' });
      }
    });

    it('the audit log only grows, whoever asks', async () => {
      for (const change of ["update audit set action = 'x'", 'delete from audit', 'truncate audit']) {
        await expect(store.sql.unsafe(change)).rejects.toMatchObject({ code: '42501' });
        await expect(sql.unsafe(change)).rejects.toMatchObject({ code: '42501' });
      }
    });
  });
}

/** The relations that the investigator may read. */
const READ_BY_INVESTIGATOR = [
  ...['services', 'service_live', 'service_names', 'service_tags', 'blocks', 'block_latest', 'samples'],
  ...['samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots', 'alerts', 'alert_transitions'],
  ...['alert_rules', 'silences', 'markers', 'tag_changes', 'investigations', 'investigation_evidence'],
];
/** Likewise of packed samples, which TimescaleDB's Community edition lacks. */
const PACKED_READ_BY_INVESTIGATOR = [
  ...['sample_log', 'sample_buckets', 'sample_chunks', 'sample_days'],
  ...['packed_minutes', 'packed_hours', 'packed_days', 'snapshot_log', 'snapshot_chunks'],
];

async function hasPackedSamples(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select to_regclass('tidewatch.sample_log') is not null as has`;
  return row?.has ?? false;
}

/** Inserts a row into tables of each kind: services, rules, alerts, counters, and stored payloads. */
async function fillEach(sql: Sql): Promise<void> {
  const [filled] = await sql`select 1 from organizations`;
  if (filled !== undefined) return;
  await sql`insert into organizations (id, name) values ('org_a', 'a')`;
  await sql`
    insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes) values ('org_a', 'key_a', 'a', '', 'a', '{}')`;
  await sql`
    insert into services (organization_id, id, host, first_seen, status_since, tags)
    values ('org_a', 'svc_a', 'a', now(), now(), '{"a": "b"}')`;
  await sql`
    insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition)
    values ('org_a', 'rul_a', 'a', true, 'm', 'info', '{}')`;
  await sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name, status,
      state, severity, metric, condition, summary, fired_at, context)
    values ('org_a', 'alr_a', 'rul_a', 'a', 1, 'svc_a', 'a', 'host', 'a', 'active', 'firing', 'info', 'm', 'equal', 'a',
      now(), '{}')`;
  await sql`
    insert into audit (organization_id, id, at, key_id, key_name, action, object_type, object_id, object_name)
    values ('org_a', 'aud_a', now(), 'key_a', 'a', 'rule.created', 'rule', 'rul_a', 'a')`;
  await sql`select ensure_partition('snapshots', date_trunc('day', now()), date_trunc('day', now()) + interval '1 day')`;
  await sql`insert into snapshots ("time", organization_id, service_id, processes) values (now(), 'org_a', 'svc_a', '[]')`;
  if (await hasPackedSamples(sql))
    await sql`
      insert into sample_log (organization_id, bucket, seq, first, last, data)
      values ('org_a', 0, nextval('sample_log_seq'), now(), now(), '\\x01')`;
  if (await hasPackedSamples(sql))
    await sql`
      insert into snapshot_log (organization_id, bucket, seq, first, last, data)
      values ('org_a', 0, nextval('sample_log_seq'), now(), now(), '\\x01')`;
  const [{ rows } = { rows: 0 }] = await sql<{ rows: number }[]>`
    select (select count(*) from alert_tallies)::int + (select count(*) from service_names)::int as rows`;
  expect(rows).toBeGreaterThan(1);
}
