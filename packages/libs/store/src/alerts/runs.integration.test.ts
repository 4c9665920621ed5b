import type { Queryable } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, it } from 'vitest';
import { chosen } from '../testing/chosen.harness.ts';

const ORG = 'org_a';
const START = Date.UTC(2026, 10, 21, 22, 58, 30);
/** More than an undivided minute or run may have. */
const MANY = 4_500;

const store = await storeForFile({ organizations: [ORG], max: 6 });

/** Creates alerts of one minute: a half fires at one moment, with 97 beginnings of ids, and the others at times of their own. */
function fire(sql: Queryable, first: number, count: number) {
  return sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, summary, fired_at, context)
    select ${ORG}, 'alr_' || left(md5((i % 97)::text), 11) || left(md5(i::text), 21), 'r', 'r', 1, 'svc', 'h', 'host', 'h',
      'active', 'firing', (array['info', 'critical'])[1 + i % 5 / 4], 'm', 'greater_than', '',
      ${START}::timestamptz + case i % 2 when 0 then 0 else i % 25000 end * interval '1 ms', '{}'
    from generate_series(${first}::int + 1, ${first + count}::int) i`;
}

const resolve = (sql: Queryable, salt: number) =>
  sql`update alerts set status = 'resolved' where ${chosen(sql, 0.2, salt)}`;
const remove = (sql: Queryable, salt: number) => sql`delete from alerts where ${chosen(sql, 0.1, salt)}`;

/** Expects that each run counts its alerts, and returns how many alerts the runs have. */
async function expectRunsToCount(): Promise<number[]> {
  const { sql } = store;
  const runs = sql`select bucket, part, lead(bucket) over run as ends, lead(part) over run as ends_part
    from (select distinct bucket, part from alert_counts where tier = 'run') r window run as (order by bucket, part)`;
  const wrong = await sql`
    with runs as materialized (${runs}), counted as (
      select r.bucket, r.part, a.status, a.severity, count(*) as count from runs r join alerts a
        on (a.fired_at, a.id) >= (r.bucket, r.part) and (r.ends is null or (a.fired_at, a.id) < (r.ends, r.ends_part))
      group by 1, 2, 3, 4
      union all
      select bucket, part, status, severity, -count from alert_counts where tier = 'run'
      union all
      select r.bucket, r.part, c.status, c.severity, -c.count from runs r join alert_count_changes c
        on c.tier = 'id' and (c.bucket, c.part) >= (r.bucket, r.part)
          and (r.ends is null or (c.bucket, c.part) < (r.ends, r.ends_part))
    )
    select bucket, part, status, severity, sum(count) from counted group by 1, 2, 3, 4 having sum(count) <> 0`;
  expect(wrong).toEqual([]);
  const totals = await sql<{ count: number }[]>`
    select sum(count)::int as count from alert_counts where tier = 'run' group by bucket, part order by bucket, part`;
  return totals.map(({ count }) => count);
}

// Each test continues with the alerts of the one before it.
describe('runs of the alerts of a minute count the alerts that are in them', () => {
  it('from when the minute has become crowded', async () => {
    await fire(store.sql, 0, 4_000);
    expect(await expectRunsToCount()).toEqual([]);
    await fire(store.sql, 4_000, 500);
    expect((await expectRunsToCount()).length).toBeGreaterThan(1);
  });

  it('when alerts come in between, so that runs become long and are divided', async () => {
    for (let round = 1; round <= 3; round += 1) await fire(store.sql, round * MANY, 2_500);
    const runs = await expectRunsToCount();
    expect(runs.length).toBeGreaterThan(3);
    expect(Math.max(...runs)).toBeLessThanOrEqual(4_000);
  });

  it('when several transactions change alerts at once, and one of them is rolled back', async () => {
    const undo = new Error('undo');
    const changes: ((sql: Queryable) => Promise<unknown>)[] = [
      (sql) => fire(sql, 30_000, 2_000),
      (sql) => fire(sql, 33_000, 1_000),
      (sql) => fire(sql, 35_000, 500).then(() => Promise.reject(undo)),
      (sql) => sql`update alerts set acknowledged_at = now() where id like '%a'`,
      (sql) => sql`delete from alerts where id like '%b'`,
    ];
    await Promise.all(
      changes.map((change) =>
        store.transact(change).catch((error) => {
          if (error !== undo) throw error;
        }),
      ),
    );
    await expectRunsToCount();
    await resolve(store.sql, 1);
    await expectRunsToCount();
  });

  it('when what a transaction of another isolation left is added up later', async () => {
    await store.transact(async (tx) => {
      await tx`set transaction isolation level repeatable read`;
      await fire(tx, 40_000, 2_000);
      await remove(tx, 2);
    });
    const [left] = await store.sql`select count(*)::int as changes from alert_count_changes`;
    expect(left?.changes).toBeGreaterThan(0);
    await expectRunsToCount();
    await resolve(store.sql, 3);
    await expectRunsToCount();
  });

  it('when one statement changes alerts and creates others', async () => {
    await store.sql`with resolved as (${resolve(store.sql, 4)} returning 1), removed as (${remove(store.sql, 5)} returning 1)
      ${fire(store.sql, 50_000, 3_000)}`;
    await expectRunsToCount();
    await fire(store.sql, 60_000, 1);
    expect(Math.max(...(await expectRunsToCount()))).toBeLessThanOrEqual(8_000);
  });

  it('until the last alert is deleted', async () => {
    await store.sql`delete from alerts where fired_at = ${START}`;
    await expectRunsToCount();
    await store.sql`delete from alerts`;
    const [left] = await store.sql`select count(*)::int as counters from alert_counts`;
    expect(left?.counters).toBe(0);
  });
});
