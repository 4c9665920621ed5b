import { setTimeout as sleep } from 'node:timers/promises';
import { openInProcessBus } from '@tidewatch/bus/in-process';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Transaction } from '@tidewatch/database/connection';
import { createEvaluator } from '@tidewatch/evaluator/evaluator';
import { startCuttingProxy } from '@tidewatch/harness/cutting-proxy';
import { openForFile } from '@tidewatch/harness/opened';
import { startDatabase } from '@tidewatch/harness/postgres';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { createWriter } from '@tidewatch/writer/writer';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ORGANIZATION = newId('org');
const START = Math.floor(Date.now() / 60_000) * 60_000 - 30 * 60_000;
const APPLICATION = 'commit-outcome';

let bus: ReturnType<typeof openInProcessBus<Transaction>>;
let stop: () => Promise<void>;
const rule = newId('rul');

const database = await openForFile(startDatabase());
const proxy = await openForFile(startCuttingProxy(database.url));
/** The product's connection through a proxy; `direct` is a connection without the proxy for checks. */
const store = await openForFile(openStore({ url: proxy.url, max: 6, applicationName: APPLICATION }));
const direct = await openForFile(openStore({ url: database.adminUrl, max: 2 }));
beforeAll(async () => {
  await direct.sql`insert into organizations (id, name) values (${ORGANIZATION}, 'test')`;
  await direct.sql`insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition, created_at)
    values (${ORGANIZATION}, ${rule}, 'hot', true, 'heat', 'warning', ${direct.sql.json(
      definitionOf({ name: 'hot', metric: 'heat', duration_minutes: 0 }) as never,
    )}, ${START})`;
  const shared = {
    directory: new ServiceDirectory({ newId, clock: Date.now }),
    sql: store.sql,
    clock: Date.now,
    metrics: createMetrics(),
    logger: createSilentLogger(),
  };
  const backend = await openStorageBackend(store.sql, DEFAULT_RETENTION_DAYS);
  const writer = createWriter({ ...shared, backend, holder: APPLICATION });
  const evaluator = createEvaluator({
    ...shared,
    newId,
    tickEveryMs: 20,
    publicUrl: null,
    archiveAfter: { anyMs: 604_800_000, ephemeralMs: 86_400_000 },
  });
  bus = openInProcessBus<Transaction>({
    transact: store.transact,
    clock: Date.now,
    synchronousTopics: [TOPICS.samples],
    transactFor: { [TOPICS.samples]: store.transactReading },
    limits: { patienceMs: 20_000 },
  });
  bus.subscribe(TOPICS.samples, writer.consumer);
  bus.subscribe(TOPICS.samples, evaluator.consumer);
  await writer.start();
  await bus.start();
  await evaluator.start();
  stop = async () => {
    await bus.close();
    await evaluator.stop();
    await writer.stop();
  };
});

afterAll(() => stop?.());

/** Sends one value of a host, `second` seconds after the start. */
function send(host: string, second: number, heat: number) {
  const payloads = [{ host, time: START + second * 1_000, ...metricsOf({ heat }) }];
  const value = {
    kind: 'samples',
    organizationId: ORGANIZATION,
    receivedAt: Date.now(),
    stalledMs: 0,
    payloads,
  };
  return bus.publish(TOPICS.samples, [{ key: ORGANIZATION, value }]);
}

/** The stored data of a host: its values in order, alerts by state, and the events about it. */
async function stored(host: string) {
  const { sql } = direct;
  const [block] = await sql<{ id: number }[]>`select id from blocks where subject_name = ${host}`;
  const span = { blockId: block?.id ?? 0, slot: 0, from: START - DAY_MS, to: START + DAY_MS };
  const [samples] = await storedSeries.samples(sql, [span]);
  const alerts = await sql<
    { status: string }[]
  >`select status from alerts where host = ${host} order by fired_at`;
  const events = await sql<{ type: string }[]>`select o.event ->> 'type' as type from outbox o
    where o.event -> 'data' ->> 'host' = ${host} or o.event -> 'data' -> 'alert' ->> 'host' = ${host}
      or o.event ->> 'subject' in (select id from services where host = ${host}) order by o.id`;
  return {
    values: [...(samples?.values ?? [])],
    alerts: alerts.map((row) => row.status),
    events: events.map((row) => row.type),
  };
}

/** Makes commits that insert an alert take some time from now on. */
async function slowDownCommits(): Promise<void> {
  await direct.sql.unsafe(`
    create function tidewatch.linger() returns trigger language plpgsql as 'begin perform pg_sleep(0.4); return null; end';
    create constraint trigger linger after insert on tidewatch.alerts deferrable initially deferred
      for each row execute function tidewatch.linger()`);
}

test('a commit that continues after its connection was lost is not repeated', async () => {
  await slowDownCommits();
  const host = 'cut-during-commit';
  await send(host, -10, 10);
  await Promise.all([send(host, 0, 95), proxy.cut('during_commit')]);
  await direct.sql.unsafe('drop trigger linger on tidewatch.alerts');
  expect(await stored(host)).toEqual({
    values: [10, 95],
    alerts: ['active'],
    events: ['service.registered', 'alert.fired'],
  });
});

test.each(['before_commit', 'after_commit'] as const)(
  'a connection that is cut %s loses and duplicates no sample',
  async (where) => {
    const host = `cut-${where}`;
    const first = proxy.cut(where);
    await Promise.all([send(host, 0, 95), first]);
    expect(await stored(host)).toEqual({
      values: [95],
      alerts: ['active'],
      events: ['service.registered', 'alert.fired'],
    });
    const second = proxy.cut(where);
    await Promise.all([send(host, 10, 10), second]);
    await send(host, 20, 96);
    expect(await stored(host)).toEqual({
      values: [95, 10, 96],
      alerts: ['resolved', 'active'],
      events: ['service.registered', 'alert.fired', 'alert.resolved', 'alert.fired'],
    });
  },
);

test('repeatedly terminated database connections under load lose and duplicate no sample', async () => {
  const hosts = Array.from({ length: 20 }, (_, index) => `ended-${index}`);
  const values = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 95 : 10));
  let acknowledged = 0;
  let ended = 0;
  async function endBackends(): Promise<void> {
    const [row] = await direct.sql<
      { count: number }[]
    >`select count(pg_terminate_backend(pid))::integer as count
      from pg_stat_activity where application_name = ${APPLICATION} and datname = ${database.name}`;
    ended += row?.count ?? 0;
  }
  await Promise.all(
    hosts.map(async (host) => {
      // Each host sends in order and resends unacknowledged payloads, as agents do.
      for (const [index, value] of values.entries()) {
        while (
          !(await send(host, index * 10, value).then(
            () => true,
            () => sleep(20, false),
          ))
        );
        acknowledged += 1;
        if (acknowledged % 40 === 0) await endBackends();
      }
    }),
  );
  expect(ended).toBeGreaterThan(0);
  for (const host of hosts) {
    const { alerts, events, ...rest } = await stored(host);
    expect(rest.values, host).toEqual(values);
    expect(alerts, host).toEqual(values.filter((value) => value > 90).map(() => 'resolved'));
    const emitted = values.map((value) => (value > 90 ? 'alert.fired' : 'alert.resolved'));
    // The alert fires and resolves three times within an hour, which is flapping and emits one event.
    const expected = ['service.registered', ...emitted.slice(0, 6), 'alert.flapping', ...emitted.slice(6)];
    expect(events, host).toEqual(expected);
  }
});
