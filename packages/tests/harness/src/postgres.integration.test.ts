import { openStore } from '@tidewatch/database/connection';
import { expect, test } from 'vitest';
import { startDatabase } from './postgres.ts';
import { openForFile } from './suite/opened.ts';

const database = await openForFile(startDatabase());
const store = await openForFile(openStore({ url: database.url }));

test('a suite gets a migrated database without rows', async () => {
  const [row] = await store.sql`select count(*) as services from services`;
  expect(row?.services).toBe(0);
});

test('the login of a suite owns nothing and is no superuser', async () => {
  const [row] = await store.sql`select usesuper from pg_user where usename = current_user`;
  expect(row?.usesuper).toBe(false);
  await expect(store.sql`drop table samples`).rejects.toThrow(/must be owner/);
});

test('two suites do not see each other’s data', async () => {
  const other = await startDatabase();
  const stranger = openStore({ url: other.url });
  await store.sql`insert into organizations (id, name) values ('org_1', 'here')`;
  expect(await stranger.sql`select id from organizations`).toHaveLength(0);
  await stranger.close();
  await other.close();
});
