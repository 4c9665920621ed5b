import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, expect, test } from 'vitest';
import { findServices } from './service-rows.ts';

const ORGANIZATION = 'org_test';
const HOSTS = 500;
const store = await storeForFile({ as: 'product', organizations: [ORGANIZATION] });
beforeAll(async () => {
  const { sql } = store;
  await sql`
    insert into services (organization_id, id, host, first_seen, status_since, tags_at)
    select ${ORGANIZATION}, 'svc_' || n, 'host-' || n, now(), now(), now() from generate_series(1, ${HOSTS}::integer) n`;
  await sql`
    insert into service_live (organization_id, service_id, last_seen, clock_offset_seconds)
    select ${ORGANIZATION}, 'svc_' || n, now(), case when n = 7 then 3600 else 0 end
    from generate_series(1, ${HOSTS}::integer) n`;
});

test('a look-up of hosts reads their rows alone, also in tables without statistics', async () => {
  const hosts = ['host-7', 'host-8', 'host-400', 'unknown'];
  const { found, read } = await store.transact(async (tx) => {
    const rowsRead = async () => {
      const rows = await tx<{ name: string; count: number }[]>`
        select relname as name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int4 as count
        from pg_stat_xact_user_tables where relname in ('services', 'service_live')`;
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    };
    const before = await rowsRead();
    const found = await findServices(tx, ORGANIZATION, hosts);
    const after = await rowsRead();
    const read = (table: string) => (after[table] ?? 0) - (before[table] ?? 0);
    return { found, read: { services: read('services'), live: read('service_live') } };
  });
  expect(
    new Map(found.map(({ host, serviceId, isClockSetBack }) => [host, [serviceId, isClockSetBack]])),
  ).toEqual(
    new Map([
      ['host-7', ['svc_7', true]],
      ['host-8', ['svc_8', false]],
      ['host-400', ['svc_400', false]],
    ]),
  );
  expect(read).toEqual({ services: 3, live: 3 });
});
