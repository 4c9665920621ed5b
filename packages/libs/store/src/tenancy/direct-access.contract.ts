import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Sql, type Store } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROUP_ROLES } from '../schema/provision.ts';
import type { TenancyDatabase } from './tenancy.contract.ts';

const RELATIONS = ['samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'snapshots'];
/** Every role with grants, that of logins for the tools of users among them. */
const ROLES = [...GROUP_ROLES, 'tidewatch_reader'] as const;
/** The partitioned relations of packed samples, by the column of their partitions. */
const PACKED = {
  sample_chunks: 'first',
  sample_days: 'day',
  packed_minutes: 'day',
  packed_hours: 'day',
  packed_days: 'month',
  snapshot_chunks: 'first',
};

/**
 * Functions of the owner that gateway and query API may call without a bound organization, each with the reason why it
 * reveals nothing.
 */
const UNBOUND: Record<string, string> = {
  find_key: 'takes the digest of a key, which only its holder knows; before it nobody knows an organization',
  find_session: 'takes the digest of a token, which only its browser knows, likewise',
  find_sign_in_link: 'takes the digest of a link, which only its holder knows, likewise',
  count_open_sessions: 'a number over the whole installation; takes no organization',
  count_channels_sealed_otherwise: 'a number over the whole installation; takes no organization',
};

/** A partition or chunk of a relation, or an object of TimescaleDB's own schema for it. */
interface Part {
  oid: number;
  name: string;
  owner: string;
}

/** Tests, for every storage backend, that a role reaches only the relations that it has grants on. */
export function describeDirectAccess(backend: string, start: () => Promise<TenancyDatabase>): void {
  describe(`what lies beside the relations, ${backend}`, () => {
    let database: TenancyDatabase;
    let admin: Store;
    let api: Store;
    let sql: Sql;
    let parts: Part[];

    beforeAll(async () => {
      database = await start();
      admin = openStore({ url: database.adminUrl });
      api = openStore({ url: database.apiUrl, bindsOrganization: true });
      sql = admin.sql;
      await fillRelations(sql);
      parts = await findParts(sql);
    });

    afterAll(async () => {
      await api.close();
      await admin.close();
      await database.close();
    });

    it('there is a part of every relation', () => {
      expect(parts.length).toBeGreaterThanOrEqual(RELATIONS.length);
    });

    it.each(ROLES)('%s is refused every partition and chunk by its name', async (role) => {
      for (const { name, owner } of parts) {
        if (owner === (await ownerThatIsPartOf(sql, role))) continue;
        for (const statement of [
          `select 1 from ${name}`,
          `insert into ${name} default values`,
          `delete from ${name}`,
        ]) {
          const refused = sql.begin(async (tx) => {
            await tx`set local role ${tx(role)}`;
            await tx.unsafe(statement);
          });
          await expect(refused, `${role}: ${statement}`).rejects.toMatchObject({
            code:
              statement.startsWith('select') || !WRITTEN_BY_NOBODY.test(statement)
                ? '42501'
                : expect.stringMatching(/^(42501|0A000|55000)$/),
          });
        }
      }
    });

    it.each(ROLES)('%s has no grant on any of them, nor on a column', async (role) => {
      const owned = await ownerThatIsPartOf(sql, role);
      const others = parts.filter(({ owner }) => owner !== owned).map(({ oid }) => oid);
      const reached = await sql<{ name: string }[]>`
        select c.oid::regclass::text as name from pg_class c
        where c.oid = any(${others}::oid[]) and (
          has_table_privilege(${role}, c.oid, 'select, insert, update, delete, truncate')
          or has_any_column_privilege(${role}, c.oid, 'select, insert, update'))`;
      expect(reached).toEqual([]);
    });

    it.each(ROLES)('%s finds only views of the extension in the schema of chunks', async (role) => {
      const owned = await ownerThatIsPartOf(sql, role);
      const touched = await sql<{ name: string; kind: string; extension: boolean; changed: boolean }[]>`
        select c.relname as name, c.relkind::text as kind,
          exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') as extension,
          has_table_privilege(${role}, c.oid, 'insert, update, delete, truncate') as changed
        from pg_class c
        where c.relnamespace = to_regnamespace('_timescaledb_internal') and c.relkind in ('r', 'v', 'm', 'f', 'p')
          and has_any_column_privilege(${role}, c.oid, 'select, insert, update')
          and pg_get_userbyid(c.relowner) is distinct from ${owned}`;
      expect(touched.filter(({ extension, changed }) => !extension || changed)).toEqual([]);
    });

    it('functions of the owner are nobody’s unless granted, and bound to the organization', async () => {
      const functions = await sql<{ name: string; body: string; open: boolean; called: boolean }[]>`
        select p.proname as name, p.prosrc as body,
          exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as open,
          has_function_privilege('tidewatch_api', p.oid, 'execute') as called
        from pg_proc p
        where p.prosecdef and p.prorettype <> 'trigger'::regtype
          and pg_get_userbyid(p.proowner) in ('tidewatch_owner', 'tidewatch_rollups')`;
      expect(functions.filter(({ open }) => open)).toEqual([]);
      const called = functions.filter((each) => each.called);
      expect(called.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(UNBOUND)));
      const unbound = called.filter(
        ({ name, body }) =>
          !(name in UNBOUND) && !body.includes("current_setting('tidewatch.organization', true)"),
      );
      expect(unbound).toEqual([]);
    });

    it.each(['org_b', 'installation', ''])(
      'and reveal to a session bound to "%s" nothing of another',
      async (bound) => {
        const since = Date.now() - DAY_MS;
        const asked = await inOrganization(bound, async () => [
          await api.sql`select active_series('org_a', ${since}::timestamptz)::int as of_others`,
          await api.sql`select * from known_series('org_a', array['a'], ${since}::timestamptz)`,
          await api.sql`select note_key_uses('[{"organization_id": "org_a", "key_id": "key_a", "at": "2026-01-01T00:00:00Z", "hosts": ["b"]}]')`,
        ]);
        expect(asked.slice(0, 2)).toEqual([[{ of_others: 0 }], []]);
        const [noted] = await sql`
        select (select count(*) from key_hosts)::int as hosts, (select last_used_at from api_keys where id = 'key_a')`;
        expect(noted).toEqual({ hosts: 0, last_used_at: null });
      },
    );

    it('and answer the session of the organization itself', async () => {
      const since = Date.now() - DAY_MS;
      const [row] = await inOrganization(
        'org_a',
        () => api.sql`select active_series('org_a', ${since}::timestamptz)::int as own`,
      );
      expect(row).toEqual({ own: 2 });
    });
  });
}

/** Internal TimescaleDB tables and views that refuse every write, so that grants on them do not matter. */
const WRITTEN_BY_NOBODY = /\._(compressed_hypertable|direct_view|partial_view)_/;

/**
 * The owner role that this role is a member of: in the Community edition the writer is a member of the owner of continuous
 * aggregates, because only the owner can refresh them.
 */
async function ownerThatIsPartOf(sql: Sql, role: string): Promise<string | null> {
  const [row] = await sql<{ owner: string }[]>`
    select rolname as owner from pg_roles
    where rolname = 'tidewatch_rollups' and pg_has_role(${role}, oid, 'member')
      and exists (select from tidewatch.storage_backend where name = 'community')`;
  return row?.owner ?? null;
}

/** Inserts a row into each relation as the writer, so that chunks are created by a role that does not own them. */
async function fillRelations(sql: Sql): Promise<void> {
  await sql`insert into organizations (id, name) values ('org_a', 'a'), ('org_b', 'b')`;
  await sql`
    insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes) values ('org_a', 'key_a', 'a', '', 'a', '{}')`;
  await sql`
    insert into services (organization_id, id, host, first_seen, status_since) values ('org_a', 'svc_a', 'a', now(), now())`;
  await sql`
    with made as (
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      values ('org_a', 'svc_a', 'host', '', 0, '{cpu,memory}') returning id)
    insert into block_latest (block_id, applied_at, times, vals) select id, now(), '{}', '{}' from made`;
  await sql.begin(async (tx) => {
    await tx`set local role tidewatch_writer`;
    for (const relation of RELATIONS) {
      const [{ is_view } = { is_view: false }] = await tx<{ is_view: boolean }[]>`
        select relkind = 'v' as is_view from pg_class where oid = ${`tidewatch.${relation}`}::regclass`;
      if (is_view) continue;
      await tx`
        select ensure_partition(${relation}, date_trunc('day', now()), date_trunc('day', now()) + interval '1 day')`;
      const time = relation.startsWith('rollup') ? 'bucket' : 'time';
      const of = relation === 'snapshots' ? tx`organization_id, service_id` : tx`block_id`;
      const value = relation === 'snapshots' ? tx`'org_a', 'svc_a'` : tx`1`;
      await tx`insert into ${tx(relation)} (${tx(time)}, ${of}) values (now(), ${value})`;
    }
    for (const [relation, column] of Object.entries(PACKED)) {
      const [{ exists } = { exists: false }] = await tx<{ exists: boolean }[]>`
        select to_regclass(${`tidewatch.${relation}`}) is not null as exists`;
      if (!exists) continue;
      await tx`
        select ensure_packed_partition(${relation}, date_trunc('day', now()), date_trunc('day', now()) + interval '1 day')`;
      if (relation === 'snapshot_chunks') {
        await tx`
          insert into snapshot_chunks (organization_id, service_id, first, last, seq, containers, processes, data)
          values ('org_a', 'svc_a', now(), now(), 1, 0, 1, '\\x01')`;
        continue;
      }
      const last = relation === 'sample_chunks' ? tx`, last` : tx``;
      const lastValue = relation === 'sample_chunks' ? tx`, now()` : tx``;
      await tx`
        insert into ${tx(relation)} (block_id, ${tx(column)}, data${last}) values (1, now(), '\\x01'${lastValue})`;
    }
  });
}

/** Finds partitions and chunks of the relations, and objects for them in TimescaleDB's own schemas. */
async function findParts(sql: Sql): Promise<Part[]> {
  return await sql<Part[]>`
    select c.oid::int as oid, c.oid::regclass::text as name, pg_get_userbyid(c.relowner) as owner
    from pg_class c
    where c.relkind in ('r', 'v') and (
      c.relnamespace = to_regnamespace('_timescaledb_internal')
        and pg_get_userbyid(c.relowner) in ('tidewatch_owner', 'tidewatch_rollups')
      or c.oid in (
        select i.inhrelid from pg_inherits i join pg_class p on p.oid = i.inhparent
        where p.relnamespace = 'tidewatch'::regnamespace))
    order by 2`;
}
