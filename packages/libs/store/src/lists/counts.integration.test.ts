import type { Queryable, Store, Transaction } from '@tidewatch/database/connection';
import { storeForTest } from '@tidewatch/harness/store';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { countAlerts } from '../alerts/count.ts';
import { countServices } from '../services/filter.ts';
import { type ReadGroupUsage, readGroupUsage } from '../services/group-usage.ts';
import { groupServices } from '../services/groups.ts';
import { listServices, SERVICE_ORDERS } from '../services/list.ts';
import { chosen } from '../testing/chosen.harness.ts';
import {
  alertFilter,
  alertStep,
  counted,
  groupsOf,
  matches,
  ORG,
  pick,
  type ServiceState,
  START,
  type Step,
  serviceFilter,
  serviceStep,
} from './counts.harness.ts';

const BY_NAME = { ...SERVICE_ORDERS.name, descending: false };
const OPTIONS = { numRuns: 8 };

const undo = new Error('undo');

describe('counts of lists', () => {
  let store: Store;

  beforeEach(async () => {
    store = await storeForTest({ organizations: [ORG, 'org_b'], max: 6 });
  });

  /**
   * Runs the steps in transactions of up to three steps, several at once; some are rolled back, and those that lose a
   * deadlock too.
   */
  async function run(steps: readonly Step[], undone: readonly boolean[]): Promise<void> {
    const groups = Array.from({ length: Math.ceil(steps.length / 3) }, (_, i) =>
      steps.slice(3 * i, 3 * i + 3),
    );
    await Promise.all(
      groups.map((group, index) =>
        store
          .transact(async (tx) => {
            await tx`set local deadlock_timeout = '5ms'`;
            for (const step of group) await step(tx);
            if (undone[index % undone.length]) throw undo;
          })
          .catch((error: { code?: string }) => {
            if (error !== undo && error.code !== '40P01' && error.code !== '23505') throw error;
          }),
      ),
    );
  }

  it('totals of alerts equal the number of rows after any changes', async () => {
    const undone = fc.array(pick(false, false, true), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(alertStep, { minLength: 6, maxLength: 24, size: 'max' }),
        undone,
        fc.array(alertFilter, { minLength: 25, maxLength: 25 }),
        async (steps, rollbacks, filters) => {
          await run(steps, rollbacks);
          for (const filter of filters) {
            expect([filter, await countAlerts(store.sql, ORG, filter)]).toEqual([
              filter,
              await counted(store.sql, filter),
            ]);
          }
        },
      ),
      OPTIONS,
    );
    // Deletes the rest one transaction at a time: the last one leaves no pending changes and no counters of zero.
    await store.sql`delete from alerts where organization_id = 'org_b'`;
    const [left] = await store.sql`select count(*)::int as changes from alert_count_changes`;
    const [empty] = await store.sql`
      select count(*)::int as rows from alert_counts where count <= 0 or organization_id = 'org_b'`;
    expect([left?.changes, empty?.rows]).toEqual([0, 0]);
  });

  it('many alerts in one minute are counted exactly wherever a window cuts it', async () => {
    await store.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, summary, fired_at, context)
      select ${ORG}, 'a-' || i, 'r', 'r', 1, 'svc', 'h', 'host', 'h', case when i % 3 = 0 then 'resolved' else 'active' end,
        'firing', 'info', 'm', 'greater_than', '', ${START}::timestamptz + i * interval '7 ms', '{}'
      from generate_series(1, 9000) i`;
    for (const [from, to] of [
      [START + 1_000, undefined],
      [undefined, START + 25_001],
      [START + 5_000, START + 20_000],
      [START + 100, START + 62_900],
      [START + 20_000, START + 20_000],
      [START + 100_000, undefined],
      [START - 100_000, undefined],
      [START + 40_000, START + 30_000],
    ]) {
      for (const status of [undefined, 'active' as const]) {
        for (const ruleId of [undefined, 'r', 'none']) {
          const filter = { from, to, status, ruleId };
          expect([filter, await countAlerts(store.sql, ORG, filter)]).toEqual([
            filter,
            await counted(store.sql, filter),
          ]);
        }
      }
    }
  });

  it('services found by indexes and counters of names and tags are the same as those found by reading all rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(serviceStep, { minLength: 15, maxLength: 45, size: 'max' }),
        fc.array(pick(false, false, true), { minLength: 1, maxLength: 4 }),
        fc.array(serviceFilter, { minLength: 20, maxLength: 20 }),
        async (steps, rollbacks, filters) => {
          await run(steps, rollbacks);
          await store.sql`
            insert into service_live (organization_id, service_id, last_seen, cpu_percent)
            select organization_id, id, now(), case when ${chosen(store.sql, 0.7, 1)} then hashtextextended(id, 2) & 127 end
            from services where ${chosen(store.sql, 0.9, 3)} on conflict do nothing`;
          const all = await readServices(store.sql);
          for (const filter of filters) {
            const wanted = all.filter((service) => matches(service, filter)).map(({ id }) => id);
            const { rows, total } = await listServices(store.sql, ORG, filter, BY_NAME, {
              limit: 100,
              offset: 0,
              after: null,
            });
            const count = await countServices(store.sql, ORG, filter);
            expect([filter, rows.map(({ id }) => id), total, count]).toEqual([
              filter,
              wanted,
              wanted.length,
              wanted.length,
            ]);
            const window = { limit: 100, offset: 0, after: null };
            const groups = await groupServices(store.sql, ORG, 'region', filter, window);
            const found = groups.rows.map(({ value, statuses, metrics }) => [
              value,
              statuses.healthy,
              statuses.critical,
              statuses.offline,
              metrics.cpu_percent,
            ]);
            expect([filter, groups.total, found]).toEqual([
              filter,
              found.length,
              groupsOf(all, 'region', filter),
            ]);
          }
        },
      ),
      OPTIONS,
    );
  });

  it('the usage of groups is read again when the cached usage lacks a group', async () => {
    const register = (id: string, status: string, cpu: number) => store.sql`
      with s as (insert into services (organization_id, id, host, tags, status, first_seen, status_since)
        values (${ORG}, ${id}, ${id}, '{"fleet": "a"}', ${status}, now(), now()))
      insert into service_live (organization_id, service_id, last_seen, cpu_percent) values (${ORG}, ${id}, now(), ${cpu})`;
    await register('one', 'healthy', 10);
    const remembered = await readGroupUsage(store.sql, ORG, 'fleet', { tag: [] });
    const asked: boolean[] = [];
    const read = async () => {
      const usage: ReadGroupUsage = async (organizationId, tag, filter, fresh) => {
        asked.push(fresh);
        return fresh ? readGroupUsage(store.sql, organizationId, tag, filter) : remembered;
      };
      const window = { limit: 10, offset: 0, after: null };
      const { rows } = await groupServices(store.sql, ORG, 'fleet', { tag: [] }, window, usage);
      return rows.map(({ services, metrics }) => [services, metrics.cpu_percent]);
    };
    await register('two', 'healthy', 30);
    expect([await read(), asked.splice(0)]).toEqual([[[2, 10]], [false]]);
    await register('three', 'critical', 50);
    expect([await read(), asked]).toEqual([[[3, 30]], [false, true]]);
  });

  it('tags of the maximum length are listed', async () => {
    const wide = (length: number) => '\u{1F30A}'.repeat(length);
    await store.sql`insert into services (organization_id, id, host, tags, first_seen, status_since)
      values (${ORG}, ${`svc_${'0'.repeat(32)}`}, ${wide(255)}, ${store.sql.json({ [wide(128)]: wide(256) })}, now(), now())`;
    const filter = { tag: [{ name: wide(128), value: wide(256) }] };
    expect(await countServices(store.sql, ORG, filter)).toBe(1);
  });

  it('concurrent writers do not wait for each other, and the changes of both are counted', async () => {
    const insert = (sql: Queryable, id: string) => sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, summary, fired_at, context)
      values (${ORG}, ${id}, 'r', 'r', 1, 'svc', 'h', 'host', 'h', 'active', 'firing', 'info', 'm', 'greater_than', '',
        ${START}, '{}')`;
    const register = (sql: Queryable, id: string) => sql`
      insert into services (organization_id, id, host, tags, first_seen, status_since)
      values (${ORG}, ${id}, ${id}, '{"fleet": "a"}', now(), now())`;
    await store.transact(async (slow: Transaction) => {
      await insert(slow, 'slow');
      await register(slow, 'slow');
      await store.transact(async (quick) => {
        await quick`set local lock_timeout = '5s'`;
        await insert(quick, 'quick');
        await register(quick, 'quick');
      });
      expect(await totals(store.sql)).toEqual([1, 1, 1]);
      expect(await totals(slow)).toEqual([2, 2, 2]);
    });
    expect(await totals(store.sql)).toEqual([2, 2, 2]);
  });

  async function totals(sql: Queryable) {
    return [
      await countAlerts(sql, ORG, {}),
      await countServices(sql, ORG, { tag: [] }),
      await countServices(sql, ORG, { tag: [{ name: 'fleet', value: 'a' }] }),
    ];
  }
});

/** All services that are not deleted, by name. */
async function readServices(sql: Queryable): Promise<ServiceState[]> {
  return sql<ServiceState[]>`
    select s.id, s.host, s.status, s.tags, s.archived_at is not null as archived, l.cpu_percent as cpu
    from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.organization_id = ${ORG} and s.deleted_at is null order by s.host, s.id`;
}
