import { openStore } from '@tidewatch/database/connection';
import { openForTest } from '@tidewatch/harness/opened';
import { startDatabase } from '@tidewatch/harness/postgres';
import { expect, test } from 'vitest';
import { ensureLogin } from './provision.ts';

test('two databases of a server may make the same login at the same time', async () => {
  const connect = async () => {
    const database = await openForTest(startDatabase());
    return await openForTest(openStore({ url: database.adminUrl, max: 2 }));
  };
  const [first, second] = [await connect(), await connect()];
  const login = 'made_by_two_databases';
  for (let round = 0; round < 10; round += 1)
    await Promise.all(
      [first, second].map(({ sql }) =>
        ensureLogin(sql, login, `password-${round}`, ['tidewatch_writer', 'tidewatch_api']),
      ),
    );
  const groups = await first.sql<{ name: string }[]>`
    select g.rolname as name from pg_auth_members m
    join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
    where r.rolname = ${login} order by 1`;
  await first.sql.unsafe(`drop role ${login}`);
  expect(groups.map(({ name }) => name)).toEqual(['tidewatch_api', 'tidewatch_writer']);
});
