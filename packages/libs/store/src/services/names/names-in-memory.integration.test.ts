import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { listServices, SERVICE_ORDERS } from '../list.ts';
import { readNames } from './known-names.ts';
import { listByPart } from './list-by-part.ts';

const ORG = 'org_a';
const SERVICES = 2_300;
const PARTS = ['HOST-1', 'host-22', 'Ö', 'ost-ö', '_', '%', 'none', '-', 'Z9', '😀'];
const seed = 20_261_201;
const random = createRandom(seed);
const store = await storeForFile({ organizations: [ORG, 'org_b'], max: 4 });
const { sql } = store;
const BY_NAME = { ...SERVICE_ORDERS.name, descending: false };
const FROM_LAST = { ...BY_NAME, descending: true };

const add = (tag: string, count: number, organization = ORG) => sql`
  insert into services (organization_id, id, host, first_seen, status_since, status, tags)
  select ${organization}, ${`svc_${organization}${tag}-`} || md5(n::text),
    (array['host-', 'Host-ö', '_%-', 'z9-😀', 'Z9-'])[1 + n % 5] || ${tag}::text || n, now(), now(),
    (array['healthy', 'critical'])[1 + n % 2], '{"fleet": "all"}'
  from generate_series(1, ${count}::int4) n`;

/** Returns the part of the list by counting everything. */
async function counted(q: string, isDescending: boolean, status?: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from services where organization_id = ${ORG} and deleted_at is null and archived_at is null
      and strpos(lower(host collate "und-x-icu"), lower(${q}::text collate "und-x-icu")) > 0
      ${status === undefined ? sql`` : sql`and status = ${status}`} order by host, id`;
  const ids = rows.map(({ id }) => id);
  return isDescending ? ids.reverse() : ids;
}

/** Expects every page by every part to be what was counted; returns how many of them names in memory answered. */
async function expectPages(round: number): Promise<number> {
  let inMemory = 0;
  for (const q of PARTS)
    for (const order of [BY_NAME, FROM_LAST]) {
      const wanted = await counted(q, order.descending);
      const label = `seed ${seed}, round ${round}, ${q}, ${order.descending}`;
      for (const offset of [0, 7, wanted.length - 5, wanted.length + 3].filter((each) => each >= 0)) {
        const window = { limit: 10, offset, after: null };
        const part = await listServices(sql, ORG, { q, tag: [] }, order, window);
        const page = wanted.slice(offset, offset + 11);
        expect({ ids: part.rows.map(({ id }) => id), total: part.total }, label).toEqual({
          ids: page,
          total: wanted.length,
        });
        const last = part.rows[4];
        if (last === undefined) continue;
        const after = [last.name, last.id] as const;
        const next = await listServices(sql, ORG, { q, tag: [] }, order, { limit: 10, offset: 0, after });
        expect(
          next.rows.map(({ id }) => id),
          label,
        ).toEqual(wanted.slice(offset + 5, offset + 16));
        const known = await listByPart(sql, ORG, q, order, window);
        if (known === null) continue;
        inMemory += 1;
        expect(known, label).toEqual(part);
      }
      const filter = { q, status: 'critical', tag: [{ name: 'fleet', value: 'all' }] };
      const part = await listServices(sql, ORG, filter, order, { limit: 100, offset: 0, after: null });
      const critical = await counted(q, order.descending, 'critical');
      expect({ ids: part.rows.map(({ id }) => id), total: part.total }, label).toEqual({
        ids: critical.slice(0, 101),
        total: critical.length,
      });
    }
  return inMemory;
}

test('parts of names find what a count of everything finds while services come, leave and return, whether names are in memory or not', async () => {
  await add('', SERVICES);
  await add('other', SERVICES, 'org_b');
  await sql`analyze services, service_names, service_tags, service_counts`;
  const lists: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await readNames(sql, ORG);
    lists.push(await expectPages(round));
    await add(`new${round}-`, Math.ceil(random() * 20));
    lists.push(await expectPages(round));
    const left = round % 2 === 0 ? sql`deleted_at = now()` : sql`archived_at = now()`;
    const chosen = Math.floor(random() * SERVICES);
    await sql`update services set ${left} where organization_id = ${ORG} and deleted_at is null and host like ${`%${chosen}`}`;
    await add(`again${round}-`, 1);
    await expectPages(round);
    await sql`update services set archived_at = null where archived_at is not null`;
    await sql`insert into services (organization_id, id, host, first_seen, status_since)
      select organization_id, id || '-again', host, now(), now() from services d where deleted_at is not null
        and not exists (select from services s where s.organization_id = d.organization_id and s.host = d.host and s.deleted_at is null)`;
    await expectPages(round);
  }
  expect(Math.min(...lists)).toBeGreaterThan(0);
});

test('a service whose transaction was open while names were read is found once it is committed', async () => {
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let noteInserted = () => {};
  const inserted = new Promise<void>((resolve) => {
    noteInserted = resolve;
  });
  const transaction = store.transact(async (tx) => {
    await tx`insert into services (organization_id, id, host, first_seen, status_since)
      values (${ORG}, 'svc_open', 'open-transaction', now(), now())`;
    noteInserted();
    await mayCommit;
  });
  await inserted;
  await add('while-open-', 3);
  await readNames(sql, ORG);
  const window = { limit: 10, offset: 0, after: null };
  const totals = async () => [
    (await listByPart(sql, ORG, 'open-tr', BY_NAME, window))?.total,
    (await listByPart(sql, ORG, 'while-open', BY_NAME, window))?.total,
  ];
  expect(await totals()).toEqual([0, 3]);
  commit();
  await transaction;
  expect(await totals()).toEqual([1, 3]);
});
