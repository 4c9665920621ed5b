import { storeForFile } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import type { ServiceFilter } from './filter.ts';
import { listServices, SERVICE_ORDERS } from './list.ts';

const ORG = 'org_a';
const store = await storeForFile({ organizations: [ORG, 'org_b'], max: 2 });

it('services by the time of the last change of status come in that order on every page, with frequent and rare tags and parts of names', async () => {
  const { sql } = store;
  // Many have the same time, so that pages end between equal ones.
  await sql`
    insert into services (organization_id, id, host, tags, status, first_seen, status_since, archived_at)
    select o, 'svc_' || i, 'h-' || i, jsonb_build_object('fleet', 'a', 'rack', 'r' || i % 40),
      (array['healthy', 'critical', 'offline'])[1 + i * i % 7 % 3], now(),
      '2026-11-01'::timestamptz + (i * 7919) % 97 * interval '1 minute', case when i % 50 = 0 then now() end
    from generate_series(1, 1300) i, unnest(array[${ORG}, 'org_b']) o`;
  const filters: ServiceFilter[] = [
    { tag: [] },
    { tag: [], status: 'critical' },
    { tag: [], status: 'maintenance' },
    { tag: [], status: 'archived' },
    { tag: [{ name: 'fleet', value: 'a' }] },
    { tag: [{ name: 'rack', value: 'r7' }] },
    { tag: [{ name: 'fleet', value: 'a' }], status: 'offline' },
    { tag: [{ name: 'rack', value: 'r7' }], status: 'critical' },
    { tag: [], q: 'H-' },
    { tag: [], q: 'H-', status: 'critical' },
    { tag: [], q: 'h-', status: 'archived' },
    { tag: [], q: '12' },
    { tag: [], q: '12', status: 'offline' },
    { tag: [{ name: 'rack', value: 'r7' }], q: '2' },
    { tag: [{ name: 'fleet', value: 'a' }], q: 'h-' },
    { tag: [{ name: 'fleet', value: 'a' }], q: '12', status: 'critical' },
    { tag: [], q: 'none' },
  ];
  for (const filter of filters)
    for (const descending of [true, false]) {
      const order = { ...SERVICE_ORDERS.status_since, descending };
      const [tag] = filter.tag;
      const all = await sql<{ id: string; since: number }[]>`
        select id, status_since as since from services
        where organization_id = ${ORG} and (archived_at is not null) = ${filter.status === 'archived'}
          and (${filter.status ?? null}::text is null or ${filter.status ?? null} in (status, 'archived'))
          and host like ${`%${filter.q?.toLowerCase() ?? ''}%`}
          and tags @> ${sql.json(tag === undefined ? {} : { [tag.name]: tag.value })}
        order by status_since ${descending ? sql`desc` : sql``}, id ${descending ? sql`desc` : sql``}`;
      const read = async (offset: number, after: readonly [number, string] | null) => {
        const part = await listServices(sql, ORG, filter, order, { limit: 100, offset, after });
        return { total: part.total, ids: part.rows.map(({ id }) => id) };
      };
      const expected = (from: number) => ({
        total: all.length,
        ids: all.slice(from, from + 101).map(({ id }) => id),
      });
      for (const offset of [0, 90, 1_005]) {
        expect({ filter, offset, ...(await read(offset, null)) }).toEqual({
          filter,
          offset,
          ...expected(offset),
        });
        const last = all[offset];
        if (last !== undefined)
          expect({ filter, offset, ...(await read(0, [last.since, last.id])) }).toEqual({
            filter,
            offset,
            ...expected(offset + 1),
          });
      }
    }
});
