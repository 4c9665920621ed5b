import { openStore, type Sql } from '@tidewatch/database/connection';

/** A login for tools of users, which reads the only organization of an installation by functions of SQL. */
export interface SqlReader {
  sql: Sql;
  close(): Promise<void>;
}

/** Creates the login as docs/sql.md says, and opens a session of it. */
export async function openSqlReader(admin: Sql, adminUrl: string, password: string): Promise<SqlReader> {
  const url = new URL(adminUrl);
  const login = `reader_of_${url.pathname.slice(1)}`;
  await admin.unsafe(`create role ${login} login password '${password}' in role tidewatch_reader`);
  await admin`insert into reader_logins (organization_id, login) select id, ${login} from organizations`;
  url.username = login;
  url.password = password;
  const store = openStore({ url: url.href, max: 1, statementTimeoutMs: 0 });
  return {
    sql: store.sql,
    async close() {
      await store.close();
      await admin.unsafe(`drop role ${login}`);
    },
  };
}
