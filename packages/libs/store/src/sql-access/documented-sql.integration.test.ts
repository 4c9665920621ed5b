import { readFile } from 'node:fs/promises';
import { openStore } from '@tidewatch/database/connection';
import { openForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, expect, test } from 'vitest';
import { addHost } from './reader-login.harness.ts';

const DOCUMENT = new URL('../../../../../docs/sql.md', import.meta.url);

const { sql: admin, database } = await storeForFile();
const login = `grafana_${database.name}`;
const [created, ...queries] = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/```sql\n(.*?)```/gs)].map(
  ([, text]) => text as string,
);
// Roles belong to the cluster, which other suites share.
await openForFile({ close: () => admin.unsafe(`drop role if exists "${login}"`) });
const reader = await openForFile(
  openStore({
    url: Object.assign(new URL(database.adminUrl), { username: login, password: 'a long random password' })
      .href,
    max: 1,
  }),
);

beforeAll(async () => {
  await addHost(admin, 'org_a');
  await admin.unsafe((created as string).replaceAll('grafana', login).replaceAll('org_of_yours', 'org_a'));
});

/** Replaces what Grafana replaces. */
function asGrafanaSends(query: string): string {
  const time = (offsetMs: number) => `'${new Date(Date.now() + offsetMs).toISOString()}'`;
  return query
    .replaceAll('$__timeFrom()', time(-3_600_000))
    .replaceAll('$__timeTo()', time(3_600_000))
    .replaceAll('$__interval', '30s')
    .replaceAll('$host', `'host-org_a','web-01'`);
}

test('the statements of docs/sql.md run for the login that it creates', async () => {
  expect(queries.length).toBeGreaterThanOrEqual(4);
  for (const query of queries) await reader.sql.unsafe(asGrafanaSends(query));
});

test('the panel for Grafana has the values of the hosts that were chosen', async () => {
  const panel = queries.find((query) => query.includes('$__interval')) as string;
  const rows = await reader.sql.unsafe(asGrafanaSends(panel));
  expect(rows).toEqual([{ time: expect.anything(), metric: 'host-org_a', value: 42.5 }]);
});
