import type { Sql } from '@tidewatch/database/connection';
import { ensureLogin, GROUP_ROLES, type GroupRole } from '@tidewatch/store/schema/provision';

/** The login of suites, used for all services: it has the rights of all group roles, for every organization. */
export const LOGIN = 'tidewatch_test';

/** The login with the rights of a single group role, such as `tidewatch_test_api` for gateway and query API. */
export const loginOf = (role: GroupRole) => role.replace('tidewatch_', 'tidewatch_test_');

/** Creates the logins of suites, and allows LOGIN to see all rows. */
export async function makeLogins(adminSql: Sql, password: string): Promise<void> {
  await ensureLogin(adminSql, LOGIN, password, GROUP_ROLES);
  for (const role of GROUP_ROLES) await ensureLogin(adminSql, loginOf(role), password, [role]);
  const tables = await adminSql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'tidewatch'::regnamespace and relkind in ('r', 'p') and relrowsecurity`;
  for (const { name } of tables)
    await adminSql`create policy harness on tidewatch.${adminSql(name)} to ${adminSql(LOGIN)} using (true)`;
}
