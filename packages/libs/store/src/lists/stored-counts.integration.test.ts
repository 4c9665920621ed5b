import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { listAudit } from '../audit/list.ts';
import { INVESTIGATION_ORDERS, listInvestigations } from '../investigations/list.ts';
import { listNotifications, NOTIFICATION_ORDERS } from '../notifications/list.ts';
import { chosen } from '../testing/chosen.harness.ts';

const ORG = 'org_a';
const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const CONCLUSIONS = [undefined, 'root_cause_found', 'inconclusive'] as const;
const SEVERITIES = [undefined, 'critical', 'info'] as const;
const START = Date.UTC(2026, 10, 20);
const ALL = { limit: 1_000, offset: 0, after: null };

const store = await storeForFile({ organizations: [ORG, 'org_b'], max: 4 });
afterEach(
  () => store.sql`truncate notifications, notification_counts, investigations, investigation_counts cascade`,
);

/** A status, a conclusion and a severity that follow from an id and a salt. */
const drawn = (sql: Queryable, salt: number) => sql`
  (array['queued', 'running', 'completed', 'failed', 'cancelled'])[1 + (hashtextextended(id, ${salt}::int8) & 255)::int % 5] as status,
  (array['root_cause_found', 'inconclusive', null])[1 + (hashtextextended(id, ${salt + 1}::int8) & 255)::int % 3] as conclusion,
  (array['critical', 'info', null])[1 + (hashtextextended(id, ${salt + 2}::int8) & 255)::int % 3] as severity`;

/** A time of four days that follows from an id, or one of the bounds of these days. */
const timeOf = (sql: Queryable) => sql`
  ${START}::timestamptz + case when hashtextextended(id, 3) % 3 = 0 then hashtextextended(id, 4) & 3 else 0 end * interval '1 day'
    + (hashtextextended(id, 5) & 3) % 2 * (hashtextextended(id, 6) & 65535) * interval '4 seconds'`;
const TIMES = [undefined, 0, 1, DAY_MS - 1, DAY_MS, 1.4 * DAY_MS, 2 * DAY_MS, 3.1 * DAY_MS].map((time) =>
  time === undefined ? undefined : START + time,
);
const ACTIONS = [undefined, 'silence.created', 'key.created'] as const;

type Change = (salt: number) => Promise<unknown>;
const CHANGES: readonly Change[] = [
  (salt) => store.sql`
    insert into investigations (organization_id, id, created_at, trigger, service_id, host, title, window_from, window_to, updated_at,
      status, conclusion, severity)
    select o, id, ${timeOf(store.sql)}, 'alert', 's', 'h', 't', now(), now(), now(), ${drawn(store.sql, salt)}
    from unnest(array[${ORG}, 'org_b']) o, (select ${salt}::int || '-' || i as id from generate_series(1, 8) i) n
    on conflict do nothing`,
  (salt) => store.sql`
    update investigations i set status = d.status, conclusion = d.conclusion
    from (select organization_id as o, id as of, ${drawn(store.sql, salt)} from investigations) d
    where d.o = i.organization_id and d.of = i.id and ${chosen(store.sql, 0.5, salt)}`,
  (salt) => store.sql`delete from investigations where ${chosen(store.sql, 0.2, salt)}`,
  (salt) => store.sql`
    insert into notifications (organization_id, id, event_id, transition, direction, channel, channel_kind, next_attempt_at, give_up_at,
      created_at, status)
    select o, id, id, 'fired', 'opening', 'c', 'webhook', now(), now(), now(), status
    from unnest(array[${ORG}, 'org_b']) o,
      (select id, ${drawn(store.sql, salt)} from (select ${salt}::int || '-' || i as id from generate_series(1, 8) i) n) d
    on conflict do nothing`,
  (salt) => store.sql`
    update notifications n set status = d.status
    from (select organization_id as o, id as of, ${drawn(store.sql, salt)} from notifications) d
    where d.o = n.organization_id and d.of = n.id and ${chosen(store.sql, 0.5, salt)}`,
  (salt) => store.sql`delete from notifications where ${chosen(store.sql, 0.2, salt)}`,
  (salt) => store.sql`
    insert into audit (organization_id, id, at, key_id, key_name, action, object_type, object_id, object_name)
    select o, id, ${timeOf(store.sql)}, 'k', 'k', case when i % 3 = 0 then 'key.created' else 'silence.created' end,
      case when i % 3 = 0 then 'key' else 'silence' end, 'o', 'o'
    from unnest(array[${ORG}, 'org_b']) o,
      (select i, ${salt}::int || '-' || i as id from generate_series(1, 8) i) n
    on conflict do nothing`,
];

it('totals of notifications, investigations and audit records equal the number of rows after any changes', async () => {
  const step = fc.tuple(fc.constantFrom(...CHANGES), fc.nat(100_000));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30, size: 'max' }), async (steps) => {
      await Promise.all([steps.filter((_, i) => i % 2 === 0), steps.filter((_, i) => i % 2 === 1)].map(run));
      for (const status of [undefined, ...STATUSES]) {
        const order = { ...NOTIFICATION_ORDERS.created_at, descending: true };
        const { total, rows } = await listNotifications(
          store.sql,
          ORG,
          { status: status as 'queued' },
          order,
          ALL,
        );
        expect([status, total]).toEqual([status, rows.length]);
        for (const conclusion of CONCLUSIONS)
          for (const severity of SEVERITIES) {
            const filter = { status, conclusion, severity };
            const of = { ...INVESTIGATION_ORDERS.created_at, descending: true };
            const part = await listInvestigations(store.sql, ORG, filter, of, ALL);
            expect([filter, part.total]).toEqual([filter, part.rows.length]);
          }
      }
      for (const from of TIMES)
        for (const to of TIMES.slice(0, 5)) {
          const filter = { from, to, severity: from === START ? ('info' as const) : undefined };
          const of = { ...INVESTIGATION_ORDERS.created_at, descending: true };
          const part = await listInvestigations(store.sql, ORG, filter, of, ALL);
          expect([filter, part.total]).toEqual([filter, part.rows.length]);
        }
      for (const action of ACTIONS)
        for (const from of TIMES)
          for (const to of TIMES.slice(3)) {
            const type = action === 'key.created' ? ('silence' as const) : undefined;
            const filter = { action, object_type: type, from, to };
            const part = await listAudit(store.sql, ORG, filter, ALL);
            expect([filter, part.total]).toEqual([filter, part.rows.length]);
          }
    }),
    { numRuns: 4 },
  );

  async function run(steps: readonly (readonly [Change, number])[]): Promise<void> {
    for (const [change, salt] of steps)
      await change(salt).catch((error: { code?: string }) => {
        if (error.code !== '40P01') throw error;
      });
  }
});

it('counters of many changes are added up, those of other organizations too', async () => {
  const { sql } = store;
  const insert = CHANGES[3] as Change;
  await insert(1);
  for (let round = 0; round < 130; round += 1)
    await sql`update notifications set status = ${round % 2 === 0 ? 'failed' : 'delivered'} where id = '1-1'`;
  const [row] = await sql<{ rows: number; total: number }[]>`
    select count(*)::int as rows, sum(count)::int as total from notification_counts where organization_id = ${ORG}`;
  expect(row?.total).toBe(8);
  expect(row?.rows).toBeLessThan(105);
  const write = CHANGES.at(-1) as Change;
  for (let salt = 200_000; salt < 200_130; salt += 1) await write(salt);
  const [audit] = await sql<{ crowded: number; total: number }[]>`
    select (select count(*)::int from (
        select from audit_counts where organization_id = ${ORG} group by day having count(*) > 210) days) as crowded,
      sum(count)::int - (select count(*)::int from audit where organization_id = ${ORG}) as total
    from audit_counts where organization_id = ${ORG}`;
  expect(audit).toEqual({ crowded: 0, total: 0 });
});
