import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';
import { commonTags, withoutCommonTags } from './common-tags.ts';
import type { ServiceFilter } from './filter.ts';
import { listServices, SERVICE_ORDERS } from './list.ts';

const ORG = 'org_a';
const BY_NAME = { ...SERVICE_ORDERS.name, descending: false };
const FLEET = { name: 'fleet', value: 'all' };
const REGION = { name: 'region', value: 'eu-1' };
const ROLE = { name: 'role', value: 'web' };
const FILTERS: Omit<ServiceFilter, 'hosts'>[] = [
  { tag: [FLEET, REGION] },
  { tag: [REGION, FLEET, ROLE] },
  { tag: [FLEET, FLEET] },
  { tag: [FLEET, REGION], status: 'critical' },
  { tag: [REGION, ROLE] },
  { tag: [FLEET, { name: 'fleet', value: 'none' }] },
];

const { sql } = await storeForFile({ organizations: [ORG, 'org_b'], max: 4 });
beforeAll(async () => {
  await sql`
    insert into services (organization_id, id, host, first_seen, status_since, status, tags)
    select o, 'svc_' || o || n, 'host-' || n, now(), now(), (array['healthy', 'critical'])[1 + n % 2],
      jsonb_build_object('fleet', 'all', 'region', 'eu-' || n % 3, 'role', (array['web', 'db'])[1 + n % 5 / 3])
    from unnest(array[${ORG}, 'org_b']) o, generate_series(1, 1600) n`;
  await sql`analyze services, service_names, service_tags`;
});

/** Expects the same pages and totals of every filter as by the tags of each service, and returns the tags of the first that are common. */
async function expectEveryList(): Promise<string[]> {
  for (const filter of FILTERS) {
    const wanted = await sql<{ id: string }[]>`
      select id from services where organization_id = ${ORG} and deleted_at is null and archived_at is null
        and not exists (
          select from unnest(${filter.tag.map(({ name }) => name)}::text[], ${filter.tag.map(({ value }) => value)}::text[]) t (name, value)
          where tags ->> t.name is distinct from t.value)
        ${filter.status === undefined ? sql`` : sql`and status = ${filter.status}`}
      order by host, id`;
    for (const offset of [0, 30, 1_010, 1_590, 5_000]) {
      const page = await listServices(sql, ORG, filter, BY_NAME, { limit: 9, offset, after: null });
      const found = { ids: page.rows.map(({ id }) => id), total: page.total };
      const ids = wanted.slice(offset, offset + 10).map(({ id }) => id);
      expect(found, `${JSON.stringify(filter)} at ${offset}`).toEqual({ ids, total: wanted.length });
    }
  }
  return (await commonTags(sql, ORG, { tag: [FLEET, REGION] })).map(({ name }) => name);
}

// Each test continues with the services of the one before it.
describe('lists of services by several tags are the same as by the tags of each service', () => {
  it('while every service has one of the tags', async () => {
    expect(await expectEveryList()).toEqual(['fleet']);
  });

  it('when a service without this tag is archived or deleted, and when one comes', async () => {
    await sql`insert into services (organization_id, id, host, first_seen, status_since, tags, archived_at) values
      (${ORG}, 'svc_x', 'x', now(), now(), '{}', now()), (${ORG}, 'svc_y', 'y', now(), now(), ${sql.json({ region: 'eu-1' })}, null)`;
    expect(await expectEveryList()).toEqual([]);
    await sql`update services set deleted_at = now() where id = 'svc_y'`;
    expect(await expectEveryList()).toEqual(['fleet']);
  });

  it('when a service without this tag comes after the common tags were read', async () => {
    const common = await commonTags(sql, ORG, { tag: [FLEET, REGION] });
    await sql`insert into services (organization_id, id, host, first_seen, status_since, tags) values
      (${ORG}, 'svc_z', 'host-0', now(), now(), ${sql.json({ region: 'eu-1' })})`;
    const { chosen, total } = withoutCommonTags(sql, ORG, { tag: [FLEET, REGION] }, common);
    const [found] =
      await sql`select count(*)::int as rows, (${total})::int as total, bool_or(c.id = 'svc_z') as has_other ${chosen}`;
    expect(found).toEqual({ rows: 534, total: 534, has_other: false });
    expect(await expectEveryList()).toEqual([]);
  });
});
