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
