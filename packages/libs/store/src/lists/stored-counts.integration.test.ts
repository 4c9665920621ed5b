import type { Queryable } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { INVESTIGATION_ORDERS, listInvestigations } from '../investigations/list.ts';
import { listNotifications, NOTIFICATION_ORDERS } from '../notifications/list.ts';
import { chosen } from '../testing/chosen.harness.ts';

const ORG = 'org_a';
const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const CONCLUSIONS = [undefined, 'root_cause_found', 'inconclusive'] as const;
const SEVERITIES = [undefined, 'critical', 'info'] as const;
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

type Change = (salt: number) => Promise<unknown>;
const CHANGES: readonly Change[] = [
  (salt) => store.sql`
    insert into investigations (organization_id, id, created_at, trigger, service_id, host, title, window_from, window_to, updated_at,
      status, conclusion, severity)
    select o, id, now(), 'alert', 's', 'h', 't', now(), now(), now(), ${drawn(store.sql, salt)}
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
];

it('totals of notifications and investigations equal the number of rows after any changes', async () => {
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
});
