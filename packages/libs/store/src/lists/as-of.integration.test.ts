import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Service } from '@tidewatch/contracts/services/service';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, it } from 'vitest';
import type { AlertFilter } from '../alerts/filter.ts';
import { ALERT_ORDERS, listAlerts } from '../alerts/list.ts';
import { listAlertsAsOf } from '../alerts/list-as-of.ts';
import type { ServiceFilter } from '../services/filter.ts';
import { listServices, SERVICE_ORDERS } from '../services/list.ts';
import { listServicesAsOf } from '../services/list-as-of.ts';
import { chosen } from '../testing/chosen.harness.ts';
import type { ListOrder } from './order.ts';
import type { ListPart, PageWindow } from './page-window.ts';

const ORG = 'org_a';
const ROUNDS = 6;
type Key = readonly [string | number, string];
type Read<Row> = (window: PageWindow<Key>) => Promise<ListPart<Row>>;

const ALERT_FILTERS: AlertFilter[] = [
  {},
  { status: 'active' },
  { status: 'resolved', severity: 'critical' },
  { acknowledged: true },
  { host: 'h-1' },
  { ruleId: 'rule-1', status: 'active' },
  { shadow: 'include' },
  { from: Date.now() - 90 * MINUTE_MS, to: Date.now() - 30 * MINUTE_MS },
];
const SERVICE_FILTERS: ServiceFilter[] = [
  { tag: [] },
  { tag: [], status: 'critical' },
  { tag: [], status: 'healthy' },
  { tag: [], status: 'archived' },
  { tag: [{ name: 'region', value: 'us' }], status: 'critical' },
  { tag: [{ name: 'region', value: 'eu' }], q: '1', status: 'healthy' },
  { tag: [], q: '1', status: 'healthy' },
  { tag: [{ name: 'region', value: 'eu' }] },
  { tag: [], q: '1' },
];

const store = await storeForFile({ organizations: [ORG, 'org_b'], max: 4, sampleLayout: 'rows' });

describe('lists as of a time', () => {
  /** Reads all rows of a list, page by page. */
  async function walk<Row extends { id: string }>(read: Read<Row>, keyOf: (row: Row) => string | number) {
    const seen: Row[] = [];
    for (let after: Key | null = null; ; ) {
      const { rows, total } = await read({ limit: 7, offset: 0, after });
      seen.push(...rows.slice(0, 7));
      const last = seen.at(-1);
      if (rows.length <= 7 || last === undefined) return { seen, total };
      after = [keyOf(last), last.id];
    }
  }

  async function now(): Promise<number> {
    await sleep(3);
    const [row] = await store.sql<{ now: number }[]>`select clock_timestamp() as now`;
    await sleep(3);
    return row?.now ?? 0;
  }

  async function changeAlerts(round: number): Promise<void> {
    await store.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, summary, fired_at, created_at, updated_at, context, shadow)
      select o, o || ${round}::int || '-' || i, 'rule-' || i % 3, 'r', 1, 'svc', 'h-' || i % 3, 'host', 'h', 'active', 'firing',
        'warning', 'm', 'greater_than', '', t - i % 4 * interval '1 hour', t, t,
        '{"processes": [], "containers": []}', i % 6 = 0
      from generate_series(1, 9) i, unnest(array[${ORG}, 'org_b']) o, date_trunc('milliseconds', now()) t`;
    await store.sql`update alerts set status = 'resolved', state = 'resolved', resolution = 'recovered', resolved_at = now(),
        updated_at = clock_timestamp() where status = 'active' and ${chosen(store.sql, 0.3, 10 * round + 1)}`;
    await store.sql`update alerts set severity = 'critical', updated_at = clock_timestamp()
      where severity <> 'critical' and ${chosen(store.sql, 0.2, 10 * round + 2)}`;
    await store.sql`update alerts set acknowledged_at = now(), acknowledged_by = '{"key_id": "k", "name": "n"}',
        comments = '[{"at": "x", "by": {"key_id": "k", "name": "n"}, "text": "t"}]' where ${chosen(store.sql, 0.2, 10 * round + 3)}`;
  }

  it('the list of alerts as of a time has the alerts of that time in their state of that time, on every page', async () => {
    const orders: ListOrder[] = [
      { ...ALERT_ORDERS.fired_at, descending: true },
      { ...ALERT_ORDERS.created_at, descending: false },
    ];
    const all = orders.flatMap((order) => ALERT_FILTERS.map((filter) => ({ order, filter })));
    const moments: { at: number; lists: unknown[] }[] = [];
    const keyOf = (order: ListOrder) => (alert: { fired_at: string; created_at: string }) =>
      Date.parse(order.column === 'fired_at' ? alert.fired_at : alert.created_at);
    for (let round = 0; round < ROUNDS; round++) {
      await changeAlerts(round);
      const at = await now();
      const lists: unknown[] = [];
      for (const { order, filter } of all)
        lists.push(
          await walk<Alert>((window) => listAlerts(store.sql, ORG, filter, order, window), keyOf(order)),
        );
      moments.push({ at, lists });
    }
    for (const { at, lists } of moments)
      for (const [index, { order, filter }] of all.entries()) {
        const then = await walk<Alert>(
          (window) => listAlertsAsOf(store.sql, ORG, filter, at, order, window),
          keyOf(order),
        );
        expect({ filter, order, ...then }).toEqual({ filter, order, ...(lists[index] as object) });
        expect(then.total).toBe(then.seen.length);
      }
  });

  async function changeServices(round: number): Promise<void> {
    await store.sql`
      insert into services (organization_id, id, host, tags, first_seen, status_since)
      select o, o || ${round}::int || '-' || i, 'h-' || i || '-' || ${round}::int, '{"region": "eu"}', now(), now()
      from generate_series(1, 5) i, unnest(array[${ORG}, 'org_b']) o`;
    await store.sql`insert into service_live (organization_id, service_id, last_seen)
      select organization_id, id, first_seen from services on conflict do nothing`;
    await store.sql`update services set status = (array['healthy', 'critical'])[1 + (hashtextextended(id, ${round}::int8) & 1)::int],
      status_since = now(), active_critical = 1 where ${chosen(store.sql, 0.4, 10 * round + 4)}`;
    await store.sql`update services set tags = '{"region": "us"}' where ${chosen(store.sql, 0.2, 10 * round + 5)}`;
    await store.sql`update services set archived_at = case when ${chosen(store.sql, 0.5, 10 * round + 6)} then now() end where ${chosen(store.sql, 0.4, 10 * round + 7)}`;
    await store.sql`update services set deleted_at = now() where deleted_at is null and ${chosen(store.sql, 0.1, 10 * round + 8)}`;
  }

  it('the list of services as of a time has the services of that time with their status, tags and alerts of that time', async () => {
    const orders: ListOrder[] = [
      { ...SERVICE_ORDERS.name, descending: false },
      { ...SERVICE_ORDERS.status_since, descending: true },
    ];
    const all = orders.flatMap((order) => SERVICE_FILTERS.map((filter) => ({ order, filter })));
    const keyOf = (order: ListOrder) => (service: { name: string; status_since: string }) =>
      order.column === 'host' ? service.name : Date.parse(service.status_since);
    const moments: { at: number; lists: unknown[] }[] = [];
    // Rounds the times of new rows to milliseconds, the precision of sort keys.
    await store.sql`create function cut() returns trigger language plpgsql as $$ begin
      new.status_since := date_trunc('milliseconds', new.status_since); return new; end $$`;
    await store.sql`create trigger cut before insert or update on services for each row execute function cut()`;
    for (let round = 0; round < ROUNDS; round++) {
      await changeServices(round);
      const at = await now();
      const lists: unknown[] = [];
      for (const { order, filter } of all)
        lists.push(
          await walk<Service>((window) => listServices(store.sql, ORG, filter, order, window), keyOf(order)),
        );
      moments.push({ at, lists });
    }
    for (const { at, lists } of moments)
      for (const [index, { order, filter }] of all.entries()) {
        const then = await walk<Service>(
          (window) => listServicesAsOf(store.sql, ORG, filter, at, order, window),
          keyOf(order),
        );
        expect({ filter, order, ...then }).toEqual({ filter, order, ...(lists[index] as object) });
        expect(then.total).toBe(then.seen.length);
      }
  });

  it('the latest values of a host as of a time contain nothing that it sent later', async () => {
    const at = await now();
    const day = Math.floor(at / 86_400_000) * 86_400_000;
    for (const start of [day - 86_400_000, day])
      await store.sql`select ensure_partition('samples', ${start}, ${start + 86_400_000})`;
    await store.sql`insert into services (organization_id, id, host, first_seen, status_since)
      values (${ORG}, 'live', 'live', ${at - 60_000}, ${at - 60_000})`;
    const [block] = await store.sql<{ id: number }[]>`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      values (${ORG}, 'live', 'host', 'live', 0, array['other', 'disk_percent', 'cpu_percent']) returning id`;
    for (const [time, disk, cpu] of [
      [at - 20_000, 7, 10],
      [at - 10_000, null, 20],
      [at + 10_000, 8, 30],
    ] as const)
      await store.sql`insert into samples ("time", block_id, v1, v2) values (${time}, ${block?.id ?? 0}, ${disk}, ${cpu})`;
    await store.sql`insert into service_live (organization_id, service_id, last_seen, cpu_percent)
      values (${ORG}, 'live', ${at + 10_000}, 30)`;
    const filter = { q: 'live', tag: [] };
    const order = { ...SERVICE_ORDERS.name, descending: false };
    const { rows } = await listServicesAsOf(store.sql, ORG, filter, at, order, {
      limit: 1,
      offset: 0,
      after: null,
    });
    expect(rows).toMatchObject([
      {
        last_seen: new Date(at - 10_000).toISOString(),
        metrics: { cpu_percent: 20, memory_percent: null, disk_percent: 7 },
      },
    ]);
  });
});
