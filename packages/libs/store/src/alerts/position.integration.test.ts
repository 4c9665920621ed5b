import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Store } from '@tidewatch/database/connection';
import { startDatabase, type TestDatabase } from '@tidewatch/harness/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertCondition } from './filter.ts';
import { ALERT_ORDERS, listAlerts } from './list.ts';

const ORG = 'org_a';
const START = Date.UTC(2026, 10, 21, 22, 58, 30);
const WINDOWS = [
  {},
  { to: START + 2_000 },
  { from: START - HOUR_MS, to: START + HOUR_MS },
  { from: START + 1, to: START + 30 * HOUR_MS },
  { to: START - HOUR_MS },
];
const NEWEST = { ...ALERT_ORDERS.fired_at, descending: true };
const OFFSETS = [1_001, 1_500, 2_999, 4_000, 5_999, 6_000, 8_950, 20_000];

describe('far offsets in the list of alerts', () => {
  let database: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await startDatabase();
    store = openStore({ url: database.adminUrl, max: 4 });
    await store.sql`insert into organizations (id, name) values (${ORG}, 'a'), ('org_b', 'b')`;
    await fire(ORG, 0, 9_000);
    await fire('org_b', 9_000, 1_000);
  });

  afterEach(async () => {
    await store.close();
    await database.close();
  });

  /** A third at one moment with ids in random order, a third within a minute, and a third over five days. */
  async function fire(org: string, first: number, count: number): Promise<void> {
    await store.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, summary, fired_at, context, shadow)
      select ${org}, 'alr_' || left(md5((i % 97)::text), 11) || left(md5(i::text), 21), 'r', 'r', 1, 'svc', 'h', 'host', 'h',
        (array['active', 'resolved'])[1 + i % 2], 'firing', (array['info', 'critical'])[1 + i % 5 / 4], 'm', 'greater_than', '',
        ${START}::timestamptz + case i % 3 when 0 then 0 when 1 then i * 3 else i * 48000 end * interval '1 ms', '{}', i % 100 = 0
      from generate_series(${first}::int + 1, ${first + count}::int) i`;
  }

  async function compare(): Promise<void> {
    for (const window of WINDOWS) {
      for (const narrow of [{}, { status: 'active' as const }, { severity: 'info', acknowledged: false }]) {
        const filter = { ...window, ...narrow };
        const wanted = await store.sql<{ id: string }[]>`
          select a.id from alerts a where ${alertCondition(store.sql, ORG, filter)} order by a.fired_at desc, a.id desc`;
        for (const offset of OFFSETS) {
          const { rows, total } = await listAlerts(store.sql, ORG, filter, NEWEST, {
            limit: 3,
            offset,
            after: null,
          });
          const ids = wanted.slice(offset, offset + 4).map(({ id }) => id);
          expect([filter, offset, rows.map(({ id }) => id), total]).toEqual([
            filter,
            offset,
            ids,
            wanted.length,
          ]);
        }
      }
    }
  }

  it('lead to the rows that reading from the beginning leads to', async () => {
    await compare();
  });

  it('lead there after alerts changed, went, came back and were rolled back', async () => {
    const undo = new Error('undo');
    await store.sql`update alerts set status = 'resolved' where random() < 0.2`;
    await store.sql`update alerts set acknowledged_at = now() where random() < 0.2`;
    await store.sql`update alerts set shadow = not shadow where random() < 0.05`;
    await store.sql`delete from alerts where random() < 0.1`;
    await expect(
      store.transact(async (tx) => {
        await tx`delete from alerts`;
        throw undo;
      }),
    ).rejects.toBe(undo);
    await fire(ORG, 20_000, 2_000);
    await compare();
  });

  it('are counted in a transaction that has not ended, and by it alone', async () => {
    await store.transact(async (tx) => {
      await tx`delete from alerts where status = 'resolved' and organization_id = ${ORG}`;
      await compare();
    });
    await compare();
  });
});
