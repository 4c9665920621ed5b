import { startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { createWebhook, SEEN, seconds, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const LEVELS = [
  { severity: 'warning', threshold: 80, duration_minutes: 0 },
  { severity: 'critical', threshold: 95, duration_minutes: 0 },
];

const { client } = await openScenario();
const receiver = await openForFile(startHttpReceiver(status(204)));

describe('an alert that is withheld from a channel', () => {
  async function makeChannel() {
    const path = `/${uniqueName('hook')}`;
    const channel = await createWebhook(client, receiver.url(path));
    const got = (host: string) =>
      receiver.got
        .filter((received) => received.path === path)
        .map(({ body }) => JSON.parse(body))
        .filter(({ data }) => data.alert.host === host)
        .map(({ type, data }) => `${type} ${data.alert.severity}`);
    return { id: channel.id as string, got };
  }

  /** Creates a rule with two thresholds on a metric of its own, and waits until every evaluator applies it. */
  async function makeRule(channels: string[]) {
    const metric = uniqueName('m').replaceAll('-', '_');
    const terms = { name: metric, metric, condition: 'greater_than', thresholds: LEVELS, channels };
    const rule = await client.expect(201, 'POST', '/alerts/rules', terms);
    const alerts = async (host: string, which = 'active') =>
      (await client.expect(200, 'GET', `/alerts?status=${which}&rule_id=${rule.id}&host=${host}`)).alerts;
    const send = (host: string, value: number, at = 0) =>
      client.ingest({ host, timestamp: seconds(at), metrics: { [metric]: value } });
    // Polls, because in the distributed topology the rule applies within two seconds.
    await expect
      .poll(async () => {
        await send('e2e-known', 85, -3_600);
        return (await alerts('e2e-known')).length;
      }, SEEN)
      .toBe(1);
    return { id: rule.id as string, alerts, send };
  }

  it('as backfilled has a follow-up notification once a fresh sample shows that it continues', async () => {
    const channel = await makeChannel();
    const rule = await makeRule([channel.id]);
    const host = uniqueName('e2e-outage');
    await rule.send(host, 85, -1_800);
    const alert = async () => (await rule.alerts(host))[0];
    await expect
      .poll(async () => (await alert())?.notifications, SEEN)
      .toMatchObject([{ transition: 'fired', status: 'suppressed', reason: 'backfilled' }]);
    await rule.send(host, 86);
    await expect.poll(() => channel.got(host), SEEN).toEqual(['alert.fired warning']);
    await expect
      .poll(async () => (await alert())?.notifications, SEEN)
      .toMatchObject([
        { transition: 'fired', status: 'suppressed', reason: 'backfilled' },
        { transition: 'fired', status: 'delivered', reason: null },
      ]);
    expect((await alert()).backfilled).toBe(true);
    await rule.send(host, 1, 1);
    await expect
      .poll(() => channel.got(host), SEEN)
      .toEqual(['alert.fired warning', 'alert.resolved warning']);
  });

  it('by a silence that began after the firing is notified when the silence ends', async () => {
    const channel = await makeChannel();
    const rule = await makeRule([channel.id]);
    const host = uniqueName('e2e-silenced');
    await rule.send(host, 85);
    await expect.poll(() => channel.got(host), SEEN).toEqual(['alert.fired warning']);
    const silence = await client.expect(201, 'POST', '/silences', {
      matchers: { hosts: [host] },
      from: seconds(-60),
      until: seconds(3_600),
    });
    await rule.send(host, 99, 1);
    const alert = async () => (await rule.alerts(host))[0];
    await expect
      .poll(async () => (await alert())?.notifications.at(-1), SEEN)
      .toMatchObject({ transition: 'escalated', status: 'suppressed', reason: 'silenced' });
    await expect.poll(async () => (await alert()).silenced_by, SEEN).toBe(silence.id);
    await client.expect(204, 'DELETE', `/silences/${silence.id}`);
    const all = ['alert.fired warning', 'alert.silence_ended critical'];
    await expect.poll(() => channel.got(host), SEEN).toEqual(all);
    await expect.poll(async () => (await alert()).silenced_by, SEEN).toBeNull();
  });

  it('because warnings flap is not a critical alert', async () => {
    const channel = await makeChannel();
    const rule = await makeRule([channel.id]);
    const host = uniqueName('e2e-flapping');
    const fired = () => channel.got(host).filter((notice) => notice === 'alert.fired warning').length;
    for (let i = 0; i < 3; i += 1) {
      await rule.send(host, 85, -60 + 4 * i);
      // Flapping begins when the third alert ends: a notice that is not sent until then is withheld.
      await expect.poll(fired, SEEN).toBe(i + 1);
      await rule.send(host, 1, -58 + 4 * i);
    }
    await expect.poll(() => channel.got(host), SEEN).toContain('alert.flapping warning');
    await rule.send(host, 85, -20);
    await rule.send(host, 99, -10);
    const critical = () => channel.got(host).filter((notice) => notice.endsWith('critical'));
    await expect.poll(critical, SEEN).toEqual(['alert.escalated critical']);
    expect(fired()).toBe(3);
    const [alert] = await rule.alerts(host);
    expect(alert.notifications).toMatchObject([
      { transition: 'fired', status: 'suppressed', reason: 'flapping' },
      { transition: 'escalated' },
    ]);
  });

  it('because the rule did not name the channel is notified once the rule does', async () => {
    const [first, added] = [await makeChannel(), await makeChannel()];
    const rule = await makeRule([first.id]);
    const host = uniqueName('e2e-added');
    await rule.send(host, 85);
    await expect.poll(() => first.got(host), SEEN).toEqual(['alert.fired warning']);
    await client.expect(200, 'PATCH', `/alerts/rules/${rule.id}`, { channels: [first.id, added.id] });
    await expect.poll(() => added.got(host), SEEN).toEqual(['alert.fired warning']);
    await rule.send(host, 1, 1);
    for (const channel of [first, added])
      await expect
        .poll(() => channel.got(host), SEEN)
        .toEqual(['alert.fired warning', 'alert.resolved warning']);
  });

  it('because the channel is disabled is notified once the channel is enabled', async () => {
    const channel = await makeChannel();
    const rule = await makeRule([channel.id]);
    const host = uniqueName('e2e-enabled');
    await client.expect(200, 'PATCH', `/channels/${channel.id}`, { enabled: false });
    await rule.send(host, 85);
    await expect
      .poll(async () => (await rule.alerts(host))[0]?.notifications, SEEN)
      .toMatchObject([{ status: 'not_configured', reason: 'channel_disabled' }]);
    await client.expect(200, 'PATCH', `/channels/${channel.id}`, { enabled: true });
    await expect.poll(() => channel.got(host), SEEN).toEqual(['alert.fired warning']);
  });
});
