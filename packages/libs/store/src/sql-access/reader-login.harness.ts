import { openStore, type Sql } from '@tidewatch/database/connection';

/** A migrated database of a test. */
export interface ReaderDatabase {
  name: string;
  adminUrl: string;
  close(): Promise<void>;
}

const PASSWORD = 'reads-only';

/** Creates a login as docs/sql.md describes it and opens a session of it; without an organization it is bound to none. */
export async function openReader(
  admin: Sql,
  { adminUrl, name }: ReaderDatabase,
  organizationId: string | null,
): Promise<{ sql: Sql; close(): Promise<void> }> {
  // Logins belong to the cluster, which other suites share.
  const login = `reader_${organizationId ?? 'unbound'}_${name}`;
  await admin.unsafe(`create role "${login}" login password '${PASSWORD}' in role tidewatch_reader`);
  if (organizationId !== null)
    await admin`insert into reader_logins (organization_id, login) values (${organizationId}, ${login})`;
  const url = Object.assign(new URL(adminUrl), { username: login, password: PASSWORD }).href;
  const { sql, close } = openStore({ url, max: 1 });
  return {
    sql,
    async close() {
      await close();
      await admin.unsafe(`drop role "${login}"`);
    },
  };
}

/** Adds a host with a sample of `cpu_percent` and one of `used` of the part `disk:/`, as rows. */
export async function addHost(admin: Sql, organization: string): Promise<void> {
  await admin`update storage_backend set sample_layout = 'rows'`;
  const service = `svc_${organization}`;
  await admin`insert into organizations (id, name) values (${organization}, ${organization})`;
  await admin`
    insert into services (organization_id, id, host, tags, first_seen, status_since)
    values (${organization}, ${service}, ${`host-${organization}`}, '{"role": "web"}', now(), now())`;
  await admin`
    insert into service_live (organization_id, service_id, last_seen, cpu_percent)
    values (${organization}, ${service}, now(), 42.5)`;
  await admin`
    with made as (
      insert into parts (organization_id, service_id, host, kind, name) values (${organization}, ${service}, ${`host-${organization}`}, 'disk', '/')
      returning id)
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
    values (${organization}, ${service}, 'host', '', 0, '{cpu_percent}', '{}'),
      (${organization}, ${service}, 'part', '', 0, '{used}', array[(select id from made)])`;
  await admin`
    insert into block_latest (block_id, applied_at, times, vals)
    select id, now(), array[now()], array[case subject_kind when 'host' then 42.5 else 7 end]
    from blocks where organization_id = ${organization}`;
  await admin`select ensure_partition('samples', date_trunc('day', now(), 'UTC'), date_trunc('day', now(), 'UTC') + interval '1 day')`;
  await admin`
    insert into samples ("time", block_id, v0)
    select now(), id, case subject_kind when 'host' then 42.5 else 7 end from blocks where organization_id = ${organization}`;
}
