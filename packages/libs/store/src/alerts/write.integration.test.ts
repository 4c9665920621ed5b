import type { Transaction } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AlertChange, updateAlerts } from './write.ts';

const ORGANIZATION = 'org_storm';
const ALERTS = 3_000;
const NOW = Date.UTC(2026, 0, 1);
const store = await storeForFile({ max: 1 });
beforeAll(async () => {
  await store.sql`alter table alerts set (autovacuum_enabled = off)`;
  await store.sql`alter table notifications set (autovacuum_enabled = off)`;
});

const FILL = {
  alerts: `
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name, status,
      state, severity, metric, condition, summary, context, fired_at, created_at, updated_at)
    select '${ORGANIZATION}', 'alr_' || lpad(i::text, 6, '0'), 'rul_' || i % 50, 'busy', 1, 'svc_' || i % 600,
      'host-' || i % 600, 'host', 'host-' || i % 600, 'active', 'firing', 'info', 'cpu_percent', 'greater_than', 'busy',
      '{}', to_timestamp(0), to_timestamp(0), to_timestamp(0)
    from generate_series(1, ${ALERTS}) i`,
  notifications: `
    insert into notifications (organization_id, id, event_id, transition, direction, channel, channel_kind, status,
      next_attempt_at, give_up_at, created_at)
    select '${ORGANIZATION}', 'alr_' || lpad(i::text, 6, '0'), i::text, 'alert', 'opening', 'page', 'webhook', 'queued',
      to_timestamp(0), to_timestamp(0), to_timestamp(0)
    from generate_series(1, ${ALERTS}) i`,
};

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

/** The number of rows of a table that `work` reads. */
async function rowsRead(tx: Transaction, table: string, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const [row] = await tx<{ rows: number }[]>`
      select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relname = ${table}`;
    return row?.rows ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

test.each(['alerts', 'notifications'] as const)(
  'locking a row of %s by its key reads only that row, even if the statement was planned for an empty table',
  async (table) => {
    const undo = new Error('undo');
    let rows = 0;
    const measured = store.transact(async (tx) => {
      await tx`set local plan_cache_mode = force_generic_plan`;
      await tx.unsafe(`prepare lock_${table}(text, text) as
        select 1 from ${table} where organization_id = $1 and id = $2 for key share`);
      await tx.unsafe(`execute lock_${table}('${ORGANIZATION}', 'none')`);
      await tx.unsafe(FILL[table]);
      rows = await rowsRead(tx, table, () =>
        tx.unsafe(`execute lock_${table}('${ORGANIZATION}', '${idOf(9)}')`),
      );
      throw undo;
    });
    await expect(measured).rejects.toBe(undo);
    expect(rows).toBe(1);
  },
);

describe('updateAlerts', () => {
  beforeAll(() => store.sql.unsafe(FILL.alerts));

  test('changes active alerts, and leaves resolved and unknown ones alone', async () => {
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

  test('changes all given alerts, and returns those that were requested', async () => {
    const changes = [change(21, { value: 96 }), change(22, { value: 95 })];
    const rows = await updateAlerts(store.sql, changes, ids(22));
    expect(rows.map(({ id, value }) => [id, value])).toEqual([[idOf(22), 95]]);
    const [other] =
      await store.sql`select value from alerts where organization_id = ${ORGANIZATION} and id = ${idOf(21)}`;
    expect(other).toEqual({ value: 96 });
  });

  test.each([1, 2, 20])(
    'reads a few rows for each of %i changes among 3,000 active alerts',
    async (count) => {
      const places = Array.from({ length: count }, (_, index) => 100 + index);
      const changes = places.map((place) => change(place));
      const rows = await store.transact(async (tx) => {
        await tx`set local plan_cache_mode = force_generic_plan`;
        return rowsRead(tx, 'alerts', () => updateAlerts(tx, changes, ids(...places)));
      });
      expect(rows).toBeGreaterThanOrEqual(count);
      expect(rows).toBeLessThanOrEqual(4 * count);
    },
  );
});
