import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { updateAlerts } from '@tidewatch/store/alerts/write';
import { beforeEach, expect, test } from 'vitest';
import { InvestigatorHarness, ORGANIZATION } from './investigator.harness.ts';

const harness = await openForFile(InvestigatorHarness.open());
beforeEach(() => harness.reset());

const investigationOf = async (id: string) =>
  (
    await harness.admin.sql<
      { id: string | null }[]
    >`select investigation_id as id from alerts where id = ${id}`
  )[0]?.id;

test('the investigator opens one investigation for an alert, even if its event is delivered several times', async () => {
  const { id, event } = await harness.fired(await harness.service('web-01'));
  await harness.publish([event]);
  await harness.publish([event, event]);
  const all = await harness.investigations();
  expect(all).toMatchObject([
    {
      status: 'queued',
      host: 'web-01',
      severity: 'critical',
      title: 'web-01 is busy.',
      alert_id: id,
      alerts: [id],
    },
  ]);
  expect(await investigationOf(id)).toBe(all[0]?.id);
  expect((all[0]?.window_from ?? 0) < (all[0]?.window_to ?? 0)).toBe(true);
});

test.each([
  ['below the minimum severity', { severity: 'info' }],
  ['backfilled', { backfilled: true }],
  ['in shadow mode', { shadow: true }],
] as const)('the investigator opens no investigation for an alert that is %s', async (_why, fields) => {
  const { id, event } = await harness.fired(await harness.service('web-01'), fields);
  await harness.publish([event]);
  expect(await harness.investigations()).toEqual([]);
  expect(await investigationOf(id)).toBeNull();
});

test('alerts of one service within half an hour join its investigation, which takes the worst severity', async () => {
  const [service, other] = [await harness.service('web-01'), await harness.service('web-02')];
  const first = await harness.fired(service, { severity: 'warning' });
  const elsewhere = await harness.fired(other);
  await harness.publish([first.event, elsewhere.event]);
  harness.now += HOUR_MS / 2 - 1;
  const joined = [
    await harness.fired(service, { severity: 'critical' }),
    await harness.fired(service, { severity: 'warning' }),
  ];
  await harness.publish(joined.map(({ event }) => event));
  harness.now += 1;
  const later = await harness.fire(service);
  const all = await harness.investigations();
  const ids = [first.id, ...joined.map(({ id }) => id)].sort();
  expect(all.map(({ host, severity, alerts }) => [host, severity, alerts])).toEqual(
    expect.arrayContaining([
      ['web-01', 'critical', ids],
      ['web-02', 'critical', [elsewhere.id]],
      ['web-01', 'critical', [later.id]],
    ]),
  );
  expect(all).toHaveLength(3);
});

test('two consumers that receive two alerts of one service concurrently open one investigation', async () => {
  const service = await harness.service('web-01');
  const other = harness.another();
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await harness.fired(service), await harness.fired(service)];
    await Promise.all([harness.publish([one.event]), harness.publish([two.event], other)]);
  }
  const all = await harness.investigations();
  expect(all.map(({ alerts }) => alerts.length)).toEqual([10]);
});

test('an alert keeps its investigation when the evaluator updates the alert', async () => {
  const { id, event } = await harness.fired(await harness.service('web-01'));
  await harness.publish([event]);
  const before = await investigationOf(id);
  const resolved = {
    organizationId: ORGANIZATION,
    id,
    value: 1,
    peakValue: 99,
    flapCount: 1,
    state: 'resolved' as const,
    resolvedAt: harness.now,
    resolution: 'recovered',
    updatedAt: harness.now,
    terms: {
      version: 2,
      severity: 'warning' as const,
      condition: 'greater_than',
      threshold: 1,
      thresholdMax: null,
    },
    mute: { by: null, until: null },
    confirmedAt: null,
  };
  const rows = await harness.admin.transact((tx) => updateAlerts(tx, [resolved], new Set([id])));
  expect(rows[0]).toMatchObject({ id, status: 'resolved', investigation_id: before });
  expect(before).toMatch(/^inv_/);
});

test('the investigator sends an invalid event to the dead letters and handles the other events of the batch', async () => {
  const { event } = await harness.fired(await harness.service('web-01'));
  const broken = { type: 'alert.fired', source: '/tidewatch/somebody', data: {} };
  const verdicts = await harness.publish([broken, { type: 'rule.created' }, null, event]);
  expect(verdicts.map(({ kind }) => kind)).toEqual(['deadLetter', 'done', 'done', 'done']);
  expect(await harness.statuses()).toEqual(['queued']);
});

test('of a rule that fires on many hosts at once ten are investigated, and the others share the first investigation', async () => {
  const [first, ...others] = await Promise.all(
    Array.from({ length: 25 }, (_, nth) => harness.service(`web-${String(nth).padStart(2, '0')}`)),
  );
  const leading = await harness.fired(first as { id: string; host: string });
  await harness.publish([leading.event]);
  const shared = await investigationOf(leading.id);
  const alerts = [];
  for (const service of others) alerts.push(await harness.fired(service));
  await harness.publish(alerts.map(({ event }) => event));
  await harness.publish(alerts.map(({ event }) => event));
  const all = await harness.investigations();
  expect(all.map(({ alerts: own, storm_alerts }) => [own.length, storm_alerts])).toEqual([
    [1, 15],
    ...Array.from({ length: 9 }, () => [1, 0]),
  ]);
  const named = await Promise.all(alerts.map(({ id }) => investigationOf(id)));
  expect(named.filter((id) => id === shared)).toHaveLength(15);
  expect(new Set(named).size).toBe(10);
});

test('a later alert of a host that shares an investigation shares it too, and nothing is run again for it', async () => {
  const services = await Promise.all(Array.from({ length: 11 }, (_, nth) => harness.service(`web-${nth}`)));
  for (const service of services) await harness.fire(service);
  await harness.admin.sql`update investigations set status = 'completed', conclusion = 'inconclusive'`;
  const later = await harness.fired(services[10] as { id: string; host: string }, { rule_id: 'rul_2' });
  await harness.publish([later.event]);
  const all = await harness.investigations();
  expect(all).toHaveLength(10);
  expect(all[0]).toMatchObject({ id: await investigationOf(later.id), storm_alerts: 2, again_at: null });
});

test('further hosts have investigations of their own once a storm is over, and those of other rules during it', async () => {
  const services = await Promise.all(Array.from({ length: 14 }, (_, nth) => harness.service(`web-${nth}`)));
  for (const service of services.slice(0, 12)) await harness.fire(service);
  const [other, later] = services.slice(12) as [{ id: string; host: string }, { id: string; host: string }];
  await harness.publish([(await harness.fired(other, { rule_id: 'rul_2' })).event]);
  harness.now += HOUR_MS / 6;
  await harness.fire(later);
  const hosts = (await harness.investigations()).map(({ host }) => host);
  expect(hosts).toEqual([...services.slice(0, 10), other, later].map(({ host }) => host));
});
