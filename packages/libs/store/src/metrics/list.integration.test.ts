import type { Queryable, Store } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';
import { listMetrics, METRIC_ORDERS } from './list.ts';

const ORG = 'org_a';
const undo = new Error('undo');

const store = await storeForFile({ organizations: [ORG, 'org_b'], max: 4 });

describe('the list of metrics', () => {
  beforeAll(async () => {
    for (const org of [ORG, 'org_b'])
      await store.sql`
        insert into services (organization_id, id, host, first_seen, status_since)
        select ${org}, 'svc-' || i, 'h-' || i, now(), now() from generate_series(1, 9) i`;
    await store.sql`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      select o, 'svc-' || i, k, 'h-' || i, 0, case when i % 3 = 0 then array['Cpu', '', 'disk'] else array['Cpu'] end
      from generate_series(1, 9) i, unnest(array[${ORG}, 'org_b']) o, unnest(array['host', 'container']) k`;
  });

  const list = (sql: Queryable, q?: string, sort: 'name' | 'services' = 'name', descending = false) =>
    listMetrics(
      sql as Store['sql'],
      ORG,
      q,
      { ...METRIC_ORDERS[sort], descending },
      {
        limit: 100,
        offset: 0,
        after: null,
      },
    );
  const counts = async (sql: Queryable = store.sql) =>
    Object.fromEntries((await list(sql)).rows.map(({ name, services }) => [name, services]));

  /** The list of metrics, computed by reading all blocks. */
  async function read() {
    const rows = await store.sql<{ name: string; services: number }[]>`
      select m as name, count(distinct s.id)::int as services
      from services s join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
      cross join lateral unnest(b.metrics) m
      where s.organization_id = ${ORG} and s.deleted_at is null and s.archived_at is null and b.subject_kind = 'host' and m <> ''
      group by 1`;
    return Object.fromEntries(rows.map(({ name, services }) => [name, services]));
  }

  it('has the number of hosts of each metric, in either order and for a part of the name', async () => {
    expect(await list(store.sql)).toEqual({
      total: 2,
      rows: [
        { name: 'Cpu', unit: null, services: 9 },
        { name: 'disk', unit: null, services: 3 },
      ],
    });
    expect((await list(store.sql, 'CP')).rows.map(({ name }) => name)).toEqual(['Cpu']);
    expect((await list(store.sql, '%')).total).toBe(0);
    expect((await list(store.sql, undefined, 'services')).rows.map(({ name }) => name)).toEqual([
      'disk',
      'Cpu',
    ]);
  });

  it('is correct after blocks grow, services are archived, restored and deleted, and transactions are rolled back', async () => {
    await store.sql`update blocks set metrics = metrics || 'late'::text where service_id in ('svc-1', 'svc-3')`;
    await store.sql`update services set archived_at = now() where id in ('svc-3', 'svc-4')`;
    expect(await counts()).toEqual({ Cpu: 7, disk: 2, late: 1 });
    await store.sql`update blocks set metrics = metrics || 'hidden'::text where service_id = 'svc-4'`;
    expect(await counts()).toEqual(await read());
    await store.sql`update services set archived_at = null where id = 'svc-3'`;
    await store.sql`update services set deleted_at = now() where id in ('svc-1', 'svc-4', 'svc-9')`;
    expect(await counts()).toEqual({ Cpu: 6, disk: 2, late: 1 });
    await expect(
      store.transact(async (tx) => {
        await tx`update services set deleted_at = now() where organization_id = ${ORG}`;
        expect(await counts(tx)).toEqual({});
        throw undo;
      }),
    ).rejects.toBe(undo);
    await store.sql`delete from blocks where service_id in ('svc-1', 'svc-3')`;
    expect(await counts()).toEqual({ Cpu: 5, disk: 1 });
    expect(await counts()).toEqual(await read());
    const [left] = await store.sql`
      select (select count(*)::int from metric_count_changes) as changes,
        (select count(*)::int from metric_counts where services <= 0) as empty`;
    expect(left).toEqual({ changes: 0, empty: 0 });
  });

  it('names metrics of parts by kind and metric, and counts the services that have some, however many parts they have', async () => {
    const own = (await counts())['Cpu'];
    await store.transact(async (tx) => {
      await tx`
        insert into parts (organization_id, service_id, kind, name, host)
        select ${ORG}, 'svc-' || i, 'filesystem', n, 'h-' || i from generate_series(5, 6) i, unnest(array['/', '/var']) n
        union all select ${ORG}, 'svc-5', 'disk', 'sda', 'h-5'`;
      await tx`
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
        select organization_id, service_id, 'part', '', 0, array_agg('used'::text order by id), array_agg(id order by id)
        from parts where organization_id = ${ORG} group by 1, 2`;
      const found = async () => {
        const { Cpu, disk, ...others } = await counts(tx);
        return others;
      };
      expect(await found()).toEqual({ 'filesystem.used': 2, 'disk.used': 1 });
      await tx`
        update blocks b set metrics = metrics || 'free'::text, parts = parts || p.id from parts p
        where b.service_id = 'svc-6' and b.subject_kind = 'part' and p.service_id = 'svc-6' and p.name = '/'`;
      expect(await found()).toEqual({ 'filesystem.used': 2, 'filesystem.free': 1, 'disk.used': 1 });
      await tx`update services set archived_at = now() where organization_id = ${ORG} and id = 'svc-6'`;
      expect(await found()).toEqual({ 'filesystem.used': 1, 'disk.used': 1 });
      const listed = () => tx`select distinct listed from parts where service_id = 'svc-6'`;
      expect(await listed()).toEqual([{ listed: false }]);
      await tx`update services set archived_at = null where organization_id = ${ORG} and id = 'svc-6'`;
      expect(await listed()).toEqual([{ listed: true }]);
      expect(await found()).toEqual({ 'filesystem.used': 2, 'filesystem.free': 1, 'disk.used': 1 });
      await tx`delete from blocks where subject_kind = 'part'`;
      expect(await found()).toEqual({});
      expect((await counts(tx))['Cpu']).toBe(own);
      expect(await tx`select 1 from part_metrics`).toHaveLength(0);
    });
  });

  it('counts the changes of concurrent writers, which do not wait for each other', async () => {
    const before = (await counts())['Cpu'] ?? 0;
    const grow = (sql: Queryable, id: string) =>
      sql`
      insert into services (organization_id, id, host, first_seen, status_since) values (${ORG}, ${id}, ${id}, now(), now())`.then(
        () => sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
          values (${ORG}, ${id}, 'host', ${id}, 0, array['Cpu'])`,
      );
    await store.transact(async (slow) => {
      await grow(slow, 'slow');
      await store.transact(async (quick) => {
        await quick`set local lock_timeout = '5s'`;
        await grow(quick, 'quick');
      });
      expect([(await counts())['Cpu'], (await counts(slow))['Cpu']]).toEqual([before + 1, before + 2]);
    });
    expect((await counts())['Cpu']).toBe(before + 2);
  });
});
