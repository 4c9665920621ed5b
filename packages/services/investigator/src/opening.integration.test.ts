import { updateAlerts } from '@tidewatch/store/alerts/write';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR, InvestigatorBed, ORGANIZATION } from './investigator.bed.ts';

let bed: InvestigatorBed;
beforeAll(async () => {
  bed = await InvestigatorBed.open();
});
beforeEach(() => bed.reset());
afterAll(() => bed?.close());

const investigationOf = async (id: string) =>
  (
    await bed.admin.sql<{ id: string | null }[]>`select investigation_id as id from alerts where id = ${id}`
  )[0]?.id;

test('an alert that fires begins one investigation, however often it is told of', async () => {
  const { id, event } = await bed.fired(await bed.service('web-01'));
  await bed.publish([event]);
  await bed.publish([event, event]);
  const all = await bed.investigations();
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
  ['milder than the floor', { severity: 'info' }],
  ['backfilled', { backfilled: true }],
  ['in the shadow', { shadow: true }],
] as const)('one that is %s begins none', async (_why, fields) => {
  const { id, event } = await bed.fired(await bed.service('web-01'), fields);
  await bed.publish([event]);
  expect(await bed.investigations()).toEqual([]);
  expect(await investigationOf(id)).toBeNull();
});

test('within half an hour on the server’s clock alerts of the service join, and the worst counts', async () => {
  const [service, other] = [await bed.service('web-01'), await bed.service('web-02')];
  const first = await bed.fired(service, { severity: 'warning' });
  const elsewhere = await bed.fired(other);
  await bed.publish([first.event, elsewhere.event]);
  bed.now += HOUR / 2 - 1;
  const joined = [
    await bed.fired(service, { severity: 'critical' }),
    await bed.fired(service, { severity: 'warning' }),
  ];
  await bed.publish(joined.map(({ event }) => event));
  bed.now += 1;
  const later = await bed.fired(service);
  await bed.publish([later.event]);
  const all = await bed.investigations();
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

test('two consumers that are told of two alerts of one service at once make one investigation', async () => {
  const service = await bed.service('web-01');
  const other = bed.another();
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await bed.fired(service), await bed.fired(service)];
    await Promise.all([bed.publish([one.event]), bed.publish([two.event], other)]);
  }
  const all = await bed.investigations();
  expect(all.map(({ alerts }) => alerts.length)).toEqual([10]);
});

test('judging that goes on leaves the alert its investigation', async () => {
  const { id, event } = await bed.fired(await bed.service('web-01'));
  await bed.publish([event]);
  const before = await investigationOf(id);
  const resolved = {
    ...{ organizationId: ORGANIZATION, id, value: 1, peakValue: 99, flapCount: 1 },
    ...{ state: 'resolved' as const, resolvedAt: bed.now, resolution: 'recovered', updatedAt: bed.now },
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
  const rows = await bed.admin.transact((tx) => updateAlerts(tx, [resolved], new Set([id])));
  expect(rows[0]).toMatchObject({ id, status: 'resolved', investigation_id: before });
  expect(before).toMatch(/^inv_/);
});

test('what is no event of this version goes to the dead letters, and its neighbours are taken', async () => {
  const { event } = await bed.fired(await bed.service('web-01'));
  const broken = { type: 'alert.fired', source: '/tidewatch/somebody', data: {} };
  const deliveries = [broken, { type: 'rule.created' }, null, event].map((value, index) => ({
    ...{
      topic: 'tidewatch.events',
      partition: 0,
      offset: BigInt(index),
      key: '',
      value,
      publishedAt: bed.now,
    },
  }));
  const verdicts = await bed.store.transact((tx) => bed.investigator.consumer.handle(deliveries, tx));
  expect(verdicts.map(({ kind }) => kind)).toEqual(['deadLetter', 'done', 'done', 'done']);
  expect(await bed.statuses()).toEqual(['queued']);
});
