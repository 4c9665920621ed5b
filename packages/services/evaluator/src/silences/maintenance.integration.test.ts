import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { countServices } from '@tidewatch/store/services/filter';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from '../testing/evaluator.harness.ts';
import { SilencesHarness } from '../testing/silences.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());
const silences = new SilencesHarness(harness);

const statusOf = async (host: string) => {
  const row = await harness.service(host);
  return [row?.status, row?.status_reasons.map(({ code }: { code: string }) => code), row?.status_since];
};
const inMaintenance = () =>
  countServices(harness.store.sql, ORGANIZATION, { status: 'maintenance', tag: [] });

describe('maintenance', () => {
  test('begins and ends with a silence of the whole host though the host sends nothing', async () => {
    const [host, other] = [harness.newHost(), harness.newHost()];
    const rule = await harness.rule({ severity: 'critical' });
    await harness.send(host, rule.metric, [[0, 95]]);
    await harness.send(other, rule.metric, [[0, 5]]);
    const began = harness.now;
    await silences.silence({ hosts: [host] }, { from: 1, until: 2 });
    await harness.settled();
    expect(await statusOf(host)).toEqual(['critical', ['critical_alert'], began]);
    harness.now += MINUTE_MS + 1;
    await harness.settled();
    expect(await statusOf(host)).toEqual(['maintenance', ['silenced', 'critical_alert'], harness.now]);
    expect((await statusOf(other))[0]).toBe('healthy');
    expect(await inMaintenance()).toBe(1);
    harness.now += MINUTE_MS;
    await harness.settled();
    expect(await statusOf(host)).toEqual(['critical', ['critical_alert'], harness.now]);
    expect(await inMaintenance()).toBe(0);
  });

  test('begins and ends when a silence is created or ended by hand, and with each window of a recurring silence', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[0, 5]]);
    const id = await silences.silence({ hosts: [host] });
    await harness.settled();
    expect((await statusOf(host))[0]).toBe('maintenance');
    await silences.end(id);
    await harness.settled();
    expect((await statusOf(host))[0]).toBe('healthy');
    const recurring = await silences.silence({ hosts: [host] }, { until: 10, recurrence: 'FREQ=HOURLY' });
    const seen: unknown[] = [];
    for (let step = 0; step < 4; step += 1) {
      await harness.settled();
      seen.push((await statusOf(host))[0]);
      harness.now += 30 * MINUTE_MS;
    }
    expect(seen).toEqual(['maintenance', 'healthy', 'maintenance', 'healthy']);
    await silences.end(recurring);
  });

  test('does not begin by a silence that is limited to a rule, a severity or a subject', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[0, 5]]);
    for (const more of [
      { rule_ids: [rule.id] },
      { severities: ['critical', 'warning', 'info'] as ('critical' | 'warning' | 'info')[] },
      { subjects: [{ kind: 'host' as const, name: '*' }] },
    ])
      await silences.silence({ hosts: [host], ...more });
    await harness.settled();
    expect((await statusOf(host))[0]).toBe('healthy');
  });

  test('begins and ends with the tags that a host reports, from its first payload on', async () => {
    const { host, rule } = await harness.hostAndRule();
    const id = await silences.silence({ tags: { env: 'test' } });
    await harness.send(host, rule.metric, [[-2, 5]], { tags: { env: 'test' } });
    expect((await statusOf(host))[0]).toBe('maintenance');
    await harness.send(host, rule.metric, [[-1, 5]], { tags: { env: 'prod' } });
    expect((await statusOf(host))[0]).toBe('healthy');
    await silences.end(id);
    await harness.settled();
  });

  test('does not prevent an alert from being counted; its status is shown once maintenance is over', async () => {
    const { host, rule } = await harness.hostAndRule({ severity: 'warning' });
    const id = await silences.silence({ hosts: [host] });
    await harness.send(host, rule.metric, [[0, 95]]);
    expect(await harness.service(host)).toMatchObject({ status: 'maintenance', active_warning: 1 });
    await silences.end(id);
    await harness.settled();
    expect(await harness.service(host)).toMatchObject({ status: 'degraded', active_warning: 1 });
  });

  test.each(['begins', 'ends'])(
    '%s while no process runs, or while the host is not in memory',
    async (what) => {
      const { host, rule } = await harness.hostAndRule({ severity: 'critical' });
      await harness.send(host, rule.metric, [[0, 95]]);
      const id = await silences.silence({ hosts: [host] }, what === 'begins' ? { from: 1 } : { until: 1 });
      await harness.settled();
      const before = what === 'begins' ? 'critical' : 'maintenance';
      expect((await statusOf(host))[0]).toBe(before);
      harness.now += MINUTE_MS;
      await harness.begin();
      await harness.settled();
      const after = await harness.service(host);
      expect([after?.status, after?.active_critical, after?.status_since]).toEqual([
        what === 'begins' ? 'maintenance' : 'critical',
        1,
        harness.now,
      ]);
      await silences.end(id);
      await harness.settled();
    },
  );

  test('hides that a host is offline and shows it afterwards, over a restart too', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[0, 5]]);
    await harness.beat(181);
    expect((await statusOf(host))[0]).toBe('offline');
    const id = await silences.silence({ hosts: [host] });
    await harness.settled();
    expect((await statusOf(host)).slice(0, 2)).toEqual(['maintenance', ['silenced', 'silent']]);
    await harness.begin();
    await harness.settled();
    await silences.end(id);
    await harness.settled();
    expect((await statusOf(host)).slice(0, 2)).toEqual(['offline', ['silent']]);
    await harness.send(host, rule.metric, [[0, 5]]);
    expect((await statusOf(host))[0]).toBe('healthy');
    const { id: service } = (await harness.service(host)) as { id: string };
    expect(await harness.typesOf(service)).toEqual([
      'service.registered',
      'service.offline',
      'service.online',
    ]);
  });

  test('is corrected after a rollback', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[-1, 5]]);
    await silences.silence({ hosts: [host] });
    await harness.send(host, rule.metric, [[0, 95]], {}, { fail: true });
    await harness.settled();
    expect((await statusOf(host))[0]).toBe('maintenance');
  });

  test('of a whole fleet begins in several transactions', async () => {
    const rule = await harness.rule();
    const hosts = Array.from({ length: 4_500 }, (_, i) => `fleet-${i}`);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 5 })], { store: false });
    const before = await inMaintenance();
    await silences.silence({ hosts: ['fleet-*'] });
    await harness.publish([{ kind: 'heartbeat', at: harness.now }]);
    expect(await inMaintenance()).toBe(before + 500);
    await harness.evaluator.start();
    await expect.poll(inMaintenance, { interval: 20 }).toBe(before + 4_500);
    await harness.evaluator.stop();
  });
});
