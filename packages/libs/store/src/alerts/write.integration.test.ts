import { openStore, type Store } from '@tidewatch/database/connection';
import { startDatabase, type TestDatabase } from '@tidewatch/harness/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AlertChange, updateAlerts } from './write.ts';

const ORGANIZATION = 'org_storm';
const ALERTS = 3_000;
const NOW = Date.UTC(2026, 0, 1);

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await startDatabase();
  store = openStore({ url: database.adminUrl, max: 1 });
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

const ids = (...places: number[]) => new Set(places.map(idOf));
const idOf = (place: number) => `alr_${String(place).padStart(6, '0')}`;

function change(place: number, more: Partial<AlertChange> = {}): AlertChange {
  return {
    organizationId: ORGANIZATION,
    id: idOf(place),
    state: 'firing',
    value: 97,
    peakValue: 99,
    flapCount: 0,
    resolvedAt: null,
    resolution: null,
    updatedAt: NOW + 1_000,
    terms: null,
    mute: null,
    confirmedAt: null,
    ...more,
  };
}

test.each(['alerts', 'notifications'])(
  'a row of %s is found by its key while there are none',
  async (table) => {
    const plan = await store.sql.unsafe(
      `explain select 1 from ${table} where organization_id = '${ORGANIZATION}' and id = 'any' for key share`,
    );
    expect(JSON.stringify(plan)).toContain(`Index Scan using ${table}_pkey`);
  },
);

describe('of alerts that all began at once', () => {
  beforeAll(async () => {
    await store.sql`alter table alerts set (autovacuum_enabled = off)`;
    await store.sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name, status,
      state, severity, metric, condition, summary, context, fired_at, created_at, updated_at)
    select ${ORGANIZATION}, 'alr_' || lpad(i::text, 6, '0'), 'rul_' || i % 50, 'busy', 1, 'svc_' || i % 600,
      'host-' || i % 600, 'host', 'host-' || i % 600, 'active', 'firing', 'info', 'cpu_percent', 'greater_than', 'busy',
      '{}', ${NOW}, ${NOW}, ${NOW}
    from generate_series(1, ${ALERTS}) i`;
  });

  test('changes are applied to active alerts, and to those alone', async () => {
    const resolved = { state: 'resolved', resolvedAt: NOW + 500, resolution: 'recovered' } as const;
    const first = await updateAlerts(store.sql, [change(7), change(3, resolved)], ids(3, 7));
    expect(first.map(({ id, status, value }) => [id, status, value]).sort()).toEqual([
      [idOf(3), 'resolved', 97],
      [idOf(7), 'active', 97],
    ]);
    const next = [change(3), change(7, { value: 98 }), change(ALERTS + 1)];
    const second = await updateAlerts(store.sql, next, ids(3, 7, ALERTS + 1));
    expect(second.map(({ id, value }) => [id, value])).toEqual([[idOf(7), 98]]);
  });

  test('only the requested rows are returned, and all of them change', async () => {
    const changes = [change(21, { value: 96 }), change(22, { value: 95 })];
    const rows = await updateAlerts(store.sql, changes, ids(22));
    expect(rows.map(({ id, value }) => [id, value])).toEqual([[idOf(22), 95]]);
    const [other] =
      await store.sql`select value from alerts where organization_id = ${ORGANIZATION} and id = ${idOf(21)}`;
    expect(other).toEqual({ value: 96 });
  });

  test('the few alerts that change are not looked for among all that are active', async () => {
    await store.sql`set plan_cache_mode = force_generic_plan`;
    const read = async () => {
      await store.sql`select pg_stat_force_next_flush()`;
      const [row] = await store.sql<{ tuples: number }[]>`
      select sum(idx_tup_read)::int as tuples from pg_stat_user_indexes where relname = 'alerts'`;
      return row?.tuples ?? 0;
    };
    const before = await read();
    await updateAlerts(store.sql, [change(11), change(12)], ids(11, 12));
    expect((await read()) - before).toBeLessThan(ALERTS / 10);
  });
});
