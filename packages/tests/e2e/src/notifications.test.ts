import { type Answer, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { createRule, createWebhook, SEEN, seconds, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

/** Timeout for a notification, ms: longer than the lease that a crashed process may still have on it. */
const GATHERED = { timeout: 90_000, interval: 100 };

/** The receiver's response for each path that a scenario sets; 204 for others. */
const answers = new Map<string, Answer>();
const { target, client } = await openScenario();
const receiver = await openForFile(
  startHttpReceiver((response, received) => (answers.get(received.path) ?? status(204))(response, received)),
);

describe('notifications', () => {
  /** Creates a rule with a metric and a channel of its own; `got()` returns the received messages. */
  async function rule(fields: object = {}) {
    const path = `/${uniqueName('hook')}`;
    const channel = await createWebhook(client, receiver.url(path));
    const metric = uniqueName('metric').replaceAll('-', '_');
    const made = await createRule(client, { metric, channels: [channel.id], ...fields });
    const got = () =>
      receiver.got
        .filter((received) => received.path === path)
        .map(({ headers, body }) => ({ id: headers['webhook-id'], ...JSON.parse(body) }));
    const types = () => got().map(({ type }) => type);
    // Sends a sample after the rule applies, which takes up to two seconds in the distributed topology.
    const send = (host: string, value: number, timestamp?: string) =>
      client.ingest(JSON.stringify({ host, metrics: { [metric]: value }, ...(timestamp && { timestamp }) }));
    const answer = (what: Answer) => answers.set(path, what);
    return { id: made.id as string, metric, channel, got, types, send, answer };
  }

  /** The newest alert of a rule, as soon as there is one. */
  async function alertOf(ruleId: string, query = '') {
    const list = async () =>
      (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${ruleId}${query}`)).alerts;
    await expect.poll(async () => (await list()).length, SEEN).toBeGreaterThan(0);
    return (await list())[0];
  }

  /** Sends a breach until the rule has evaluated one. */
  async function fire({ id, send }: Awaited<ReturnType<typeof rule>>, host = uniqueName('e2e')) {
    await expect
      .poll(async () => {
        await send(host, 95);
        return (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${id}`)).pagination.total;
      }, SEEN)
      .toBeGreaterThan(0);
    return { host, alert: await alertOf(id) };
  }

  it('a webhook receives every type of event that it subscribes to', async () => {
    const path = `/${uniqueName('events')}`;
    const events = ['rule.created', 'rule.deleted', 'service.registered'];
    const channel = await createWebhook(client, receiver.url(path), { events });
    const host = uniqueName('subscribed');
    const made = await createRule(client, { name: host, metric: 'm', threshold: 1 });
    await client.expect(200, 'PATCH', `/alerts/rules/${made.id}`, { threshold: 2 });
    await client.ingest({ host, metrics: {} });
    const got = () =>
      receiver.got
        .filter((received) => received.path === path)
        .map(({ headers, body }) => ({ headers, event: JSON.parse(body) }))
        .filter(({ event }) => JSON.stringify(event).includes(host));
    await expect
      .poll(
        () =>
          got()
            .map(({ event }) => event.type)
            .toSorted(),
        SEEN,
      )
      .toEqual(['rule.created', 'service.registered']);
    for (const { headers, event } of got()) {
      expect(headers['webhook-id']).toBe(event.id);
      expect(headers['webhook-signature']).toMatch(/^v1,/);
    }
    const list = async () => (await client.expect(200, 'GET', '/notifications?limit=100')).notifications;
    const mine = async () =>
      (await list())
        .filter((each: { channel: { id: string } }) => each.channel.id === channel.id)
        .filter((each: { event_id: string }) => got().some(({ event }) => event.id === each.event_id));
    // Polls, because the receiver has the notification before its response is recorded.
    const delivered = { transition: 'event', status: 'delivered', alert_ids: [] };
    await expect.poll(mine, SEEN).toMatchObject([delivered, delivered]);
    await client.expect(204, 'DELETE', `/channels/${channel.id}`);
  });

  const notificationsOf = async (alert: { id: string }) =>
    (await client.expect(200, 'GET', `/alerts/${alert.id}`)).notifications;

  it('delivers a firing and then its resolution, and lists both on the alert and under notifications', async () => {
    const watched = await rule();
    const { host, alert } = await fire(watched);
    await expect.poll(watched.types, SEEN).toEqual(['alert.fired']);
    await watched.send(host, 1);
    await expect.poll(watched.types, SEEN).toEqual(['alert.fired', 'alert.resolved']);
    const delivered = { status: 'delivered', attempts: 1, last_error: null, reason: null };
    const { id, name } = watched.channel;
    await expect
      .poll(() => notificationsOf(alert), SEEN)
      .toMatchObject(
        ['fired', 'resolved'].map((transition) => ({
          transition,
          channel: { id, kind: 'webhook', name },
          ...delivered,
          sent_at: expect.any(String),
        })),
      );
    const { notifications, pagination } = await client.expect(
      200,
      'GET',
      `/notifications?alert_id=${alert.id}`,
    );
    expect(pagination.total).toBe(2);
    expect(notifications).toMatchObject([
      { transition: 'resolved', alert_ids: [alert.id], event_id: watched.got()[1]?.id },
      { transition: 'fired', alert_ids: [alert.id], event_id: watched.got()[0]?.id },
    ]);
  });

  it('sends a notification again on request, with the same id', async () => {
    const watched = await rule();
    const { alert } = await fire(watched);
    await expect.poll(watched.types, SEEN).toEqual(['alert.fired']);
    const [{ id }] = await notificationsOf(alert);
    await expect.poll(async () => (await notificationsOf(alert))[0].status, SEEN).toBe('delivered');
    const queued = await client.expect(202, 'POST', `/notifications/${id}/redeliver`);
    expect(queued).toMatchObject({ id, status: 'queued', reason: null });
    await expect.poll(() => watched.got().length, SEEN).toBe(2);
    const [first, second] = watched.got();
    expect(second).toEqual(first);
  });

  it('retries a notification that failed temporarily, after the requested pause', async () => {
    const watched = await rule();
    const times: number[] = [];
    watched.answer((response, received) => {
      times.push(Date.now());
      status(times.length === 1 ? 503 : 204, times.length === 1 ? { 'Retry-After': '3' } : {})(
        response,
        received,
      );
    });
    const { alert } = await fire(watched);
    await expect.poll(() => watched.got().length, SEEN).toBe(2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_900);
    await expect
      .poll(() => notificationsOf(alert), SEEN)
      .toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  it('does not retry a notification that can never succeed', async () => {
    const watched = await rule();
    watched.answer(status(404));
    const { alert } = await fire(watched);
    await expect
      .poll(() => notificationsOf(alert), SEEN)
      .toMatchObject([{ status: 'failed', attempts: 1, last_error: expect.stringContaining('404') }]);
  });

  it('delivers many alerts of one rule as a digest that names them all', async () => {
    const watched = await rule();
    await fire(watched);
    const hosts = Array.from({ length: 20 }, () => uniqueName('e2e-storm'));
    const payloads = hosts.map((host) => ({ host, metrics: { [watched.metric]: 95 } }));
    expect((await client.ingest(JSON.stringify(payloads))).status).toBe(200);
    const notified = () =>
      new Set(
        watched
          .got()
          .flatMap(({ data }) => (data.alerts ?? [data.alert]).map(({ host }: { host: string }) => host)),
      );
    await expect.poll(() => hosts.every((host) => notified().has(host)), GATHERED).toBe(true);
    const types = watched.types();
    expect(types.filter((type) => type === 'alert.fired')).toHaveLength(5);
    expect(types.filter((type) => type === 'alert.digest')).toHaveLength(1);
  });

  it('records why nobody is notified of an alert from late samples', async () => {
    const watched = await rule();
    await fire(watched);
    await watched.send(uniqueName('e2e-late'), 95, seconds(-3_600));
    const late = async () =>
      (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${watched.id}`)).alerts.find(
        ({ backfilled }: { backfilled: boolean }) => backfilled,
      )?.notifications;
    await expect
      .poll(late, SEEN)
      .toMatchObject([{ status: 'suppressed', reason: 'backfilled', attempts: 0 }]);
    // The notification of the first alert may still be on its way.
    await expect.poll(() => watched.types(), SEEN).toEqual(['alert.fired']);
  });

  it('records a notice for a kind of channel that has no channel', async () => {
    const watched = await rule({ channels: ['email'] });
    const { alert } = await fire(watched);
    await expect
      .poll(() => notificationsOf(alert), SEEN)
      .toMatchObject([
        { status: 'not_configured', reason: 'no_default', channel: { id: null, kind: 'email', name: null } },
      ]);
  });

  it('delivers after a crash the notifications that were queued before', async (context) => {
    if (target.crash === undefined) return context.skip('the target is somebody else’s to crash');
    const watched = await rule();
    watched.answer(status(503));
    const { alert } = await fire(watched);
    // Only unclaimed notifications: one that a crashed process had claimed waits for half a minute, which another suite
    // tests.
    await expect.poll(async () => (await notificationsOf(alert))[0]?.attempts, SEEN).toBeGreaterThan(0);
    await target.crash();
    watched.answer(status(204));
    await expect.poll(async () => (await notificationsOf(alert))[0]?.status, GATHERED).toBe('delivered');
    expect(new Set(watched.got().map(({ id }) => id)).size).toBe(1);
  });
});
