import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';
import { chosen } from '../testing/chosen.harness.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { ALERT_ORDERS, listAlerts } from './list.ts';

const OURS = 'org_a';
const THEIRS = 'org_b';
const START = Date.UTC(2026, 10, 21, 22, 58, 30);
const NEWEST = { ...ALERT_ORDERS.fired_at, descending: true };

const FILTERS: [string, AlertFilter][] = [
  ['all alerts', {}],
  ['alerts before a time', { to: START + 2_000 }],
  ['alerts around the moment of a storm', { from: START - HOUR_MS, to: START + HOUR_MS }],
  ['alerts from within a minute until the next day', { from: START + 1, to: START + 30 * HOUR_MS }],
  ['a window without alerts', { to: START - HOUR_MS }],
  ['active alerts', { status: 'active' }],
  ['active alerts before a time', { status: 'active', to: START + 2_000 }],
  [
    'active alerts around the moment of a storm',
    { status: 'active', from: START - HOUR_MS, to: START + HOUR_MS },
  ],
  ['active alerts from within a minute', { status: 'active', from: START + 1, to: START + 30 * HOUR_MS }],
  ['a window without active alerts', { status: 'active', to: START - HOUR_MS }],
  ['unacknowledged alerts of a severity', { severity: 'info', acknowledged: false }],
  ['those before a time', { severity: 'info', acknowledged: false, to: START + 2_000 }],
  [
    'those around the moment of a storm',
    { severity: 'info', acknowledged: false, from: START - HOUR_MS, to: START + HOUR_MS },
  ],
  [
    'those from within a minute',
    { severity: 'info', acknowledged: false, from: START + 1, to: START + 30 * HOUR_MS },
  ],
  ['a window without those', { severity: 'info', acknowledged: false, to: START - HOUR_MS }],
];
/** Offsets of the tests: the first is beyond what is read directly, the last is beyond the end of every list. */
const OFFSETS = [1_001, 1_500, 2_999, 4_000, 5_999, 6_000, 8_950, 20_000];

const store = await storeForFile({ organizations: [OURS, THEIRS], max: 4 });
beforeAll(async () => {
  await fire(OURS, 0, 9_000);
  await fire(THEIRS, 9_000, 1_000);
});

/**
 * Creates alerts: a third fires at one moment with ids in mixed order, a third within a minute, and a third over five days.
 */
async function fire(organizationId: string, first: number, count: number): Promise<void> {
  await store.sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, summary, fired_at, context, shadow)
    select ${organizationId}, 'alr_' || left(md5((i % 97)::text), 11) || left(md5(i::text), 21), 'r', 'r', 1, 'svc', 'h', 'host', 'h',
      (array['active', 'resolved'])[1 + i % 2], 'firing', (array['info', 'critical'])[1 + i % 5 / 4], 'm', 'greater_than', '',
      ${START}::timestamptz + case i % 3 when 0 then 0 when 1 then i * 3 else i * 48000 end * interval '1 ms', '{}', i % 100 = 0
    from generate_series(${first}::int + 1, ${first + count}::int) i`;
}

/** Reads every list at every offset, and expects the same rows as when the list is read from its beginning. */
async function expectEveryOffset(): Promise<void> {
  const { sql } = store;
  for (const [name, filter] of FILTERS) {
    const whole = await sql<{ id: string }[]>`
      select a.id from alerts a where ${alertCondition(sql, OURS, filter)} order by a.fired_at desc, a.id desc`;
    for (const offset of OFFSETS) {
      const page = await listAlerts(sql, OURS, filter, NEWEST, { limit: 3, offset, after: null });
      const found = { ids: page.rows.map(({ id }) => id), total: page.total };
      const wanted = { ids: whole.slice(offset, offset + 4).map(({ id }) => id), total: whole.length };
      expect(found, `${name} at offset ${offset}`).toEqual(wanted);
    }
  }
}

describe('a far offset in the list of alerts leads to the rows that reading from the beginning leads to', () => {
  it('while alerts are as they fired', async () => {
    await expectEveryOffset();
  });

  // Changes that are made one after the other; no test needs the state before them.
  it.each<[string, () => Promise<unknown>]>([
    [
      'some are resolved',
      () => store.sql`update alerts set status = 'resolved' where ${chosen(store.sql, 0.2, 1)}`,
    ],
    [
      'some are acknowledged',
      () => store.sql`update alerts set acknowledged_at = now() where ${chosen(store.sql, 0.2, 2)}`,
    ],
    [
      'some enter or leave shadow mode',
      () => store.sql`update alerts set shadow = not shadow where ${chosen(store.sql, 0.05, 3)}`,
    ],
    ['some are deleted', () => store.sql`delete from alerts where ${chosen(store.sql, 0.1, 4)}`],
    [
      'a deletion of all is rolled back',
      () => expect(store.transact((tx) => tx`delete from alerts`.then(undo))).rejects.toBe(UNDONE),
    ],
    ['some are deleted and others fire', deleteAndFire],
  ])('after %s', async (_name, change) => {
    await change();
    await expectEveryOffset();
  });

  it('while a transaction that deletes alerts is open, and after it is committed', async () => {
    await store.transact(async (tx) => {
      await tx`delete from alerts where status = 'resolved' and organization_id = ${OURS}`;
      await expectEveryOffset();
    });
    await expectEveryOffset();
  });
});

const UNDONE = new Error('rolled back');
const undo = () => {
  throw UNDONE;
};

async function deleteAndFire() {
  await store.sql`delete from alerts where ${chosen(store.sql, 0.1, 5)}`;
  await fire(OURS, 20_000, 2_000);
}
