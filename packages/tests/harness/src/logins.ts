import type { Sql } from '@tidewatch/store/database/connection';
import { ensureLogin, GROUP_ROLES } from '@tidewatch/store/schema/provision';

/**
 * With the rights of all of the product's roles, for every organization; and with those of gateway and query API alone, or
 * of the investigator.
 */
export const LOGIN = 'tidewatch_test';
export const API_LOGIN = 'tidewatch_test_api';
export const INVESTIGATOR_LOGIN = 'tidewatch_test_investigator';

/** Creates the logins of suites. The first one sees every row, since it is used for all services. */
export async function makeLogins(adminSql: Sql, password: string): Promise<void> {
  await ensureLogin(adminSql, LOGIN, password, GROUP_ROLES);
  await ensureLogin(adminSql, API_LOGIN, password, ['tidewatch_api']);
  await ensureLogin(adminSql, INVESTIGATOR_LOGIN, password, ['tidewatch_investigator']);
  const tables = await adminSql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'tidewatch'::regnamespace and relkind in ('r', 'p') and relrowsecurity`;
  for (const { name } of tables)
    await adminSql`create policy harness on tidewatch.${adminSql(name)} to ${adminSql(LOGIN)} using (true)`;
}
