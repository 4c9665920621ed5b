import { setTimeout as sleep } from 'node:timers/promises';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { chosen } from '../testing/chosen.harness.ts';
import { listServices, SERVICE_ORDERS } from './list.ts';
import { listServicesAsOf } from './list-as-of.ts';

const ORG = 'org_a';
const SERVICES = 4_500;
const STATUSES = ['healthy', 'critical', 'offline'] as const;
const BY_NAME = { ...SERVICE_ORDERS.name, descending: false };

const store = await storeForFile({ organizations: [ORG], max: 2 });

/** Changes the health, tags and archiving of services that the salt chooses, and deletes and adds some. */
async function change(salt: number): Promise<void> {
  await store.sql`update services set status = (array['healthy', 'healthy', 'healthy', 'critical', 'offline'])[
      1 + (hashtextextended(id, ${salt}::int8) & 1023)::int % 5], status_since = now() where ${chosen(store.sql, 0.5, salt + 1)}`;
  await store.sql`update services set tags = '{"region": "us"}' where ${chosen(store.sql, 0.01, salt + 2)}`;
  await store.sql`update services set archived_at = case when archived_at is null then now() end
    where ${chosen(store.sql, 0.02, salt + 3)}`;
  await store.sql`update services set deleted_at = now() where deleted_at is null and ${chosen(store.sql, 0.01, salt + 4)}`;
  await store.sql`insert into services (organization_id, id, host, first_seen, status_since)
    select ${ORG}, ${`${salt}-`} || md5(n::text), ${`new-${salt}-`} || n, now(), now() from generate_series(1, 20) n`;
}

it('pages of services with a status as of a time are those of that time, whether few or most had the status', async () => {
  await store.sql`insert into services (organization_id, id, host, first_seen, status_since)
    select ${ORG}, md5(n::text), 'h-' || md5(n || 'h'), now(), now() from generate_series(1, ${SERVICES}::int) n`;
  const moments: { at: number; pages: unknown[] }[] = [];
  const read = async (list: typeof listServices) => {
    const pages: unknown[] = [];
    for (const status of STATUSES) {
      const filter = { status, tag: [] };
      const { total } = await list(store.sql, ORG, filter, BY_NAME, { limit: 1, offset: 0, after: null });
      for (const offset of [0, 1_500, 2_500].filter((each) => each <= total)) {
        const window = { limit: 30, offset, after: null };
        const page = await list(store.sql, ORG, filter, BY_NAME, window);
        const next = page.rows[10];
        const after = next === undefined ? null : ([next.name, next.id] as const);
        const further = await list(store.sql, ORG, filter, BY_NAME, { limit: 30, offset: 0, after });
        pages.push([status, window, page, further]);
      }
    }
    return pages;
  };
  for (let round = 0; round < 3; round += 1) {
    if (round > 0) await change(100 * round);
    await store.sql`analyze services, service_names, service_versions, service_counts`;
    await sleep(3);
    const [row] = await store.sql<{ at: number }[]>`select clock_timestamp() as at`;
    moments.push({ at: row?.at ?? 0, pages: await read(listServices) });
    await sleep(3);
  }
  for (const { at, pages } of moments)
    expect(
      await read((sql, org, filter, order, window) => listServicesAsOf(sql, org, filter, at, order, window)),
    ).toEqual(pages);
});
