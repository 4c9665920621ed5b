import { startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { createRule, createWebhook, SEEN, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();
const receiver = await openForFile(startHttpReceiver(status(204)));

/** A kind of parts that no other scenario has. */
const newKind = () => uniqueName('kind');

describe('a rule on parts', () => {
  async function alertsOf(ruleId: string) {
    const { alerts } = await client.expect(200, 'GET', `/alerts?status=all&rule_id=${ruleId}`);
    return alerts as { id: string; status: string; host: string; subject: object; metric: string }[];
  }

  test('has an alert for each part, without those that an override excludes, and notifies host and part', async () => {
    const kind = newKind();
    const metric = `${kind}.used_percent`;
    const host = uniqueName('e2e-parts');
    const slack = await client.expect(201, 'POST', '/channels', {
      kind: 'slack',
      name: uniqueName('slack'),
      config: { webhook_url: receiver.url(`/slack/${kind}`) },
    });
    const webhook = await createWebhook(client, receiver.url(`/webhook/${kind}`));
    const rule = await createRule(client, {
      metric,
      channels: [slack.id, webhook.id],
      overrides: [{ match: { part: '/backup*' }, enabled: false }],
    });
    const send = (used: number) =>
      client.ingest({
        host,
        metrics: {},
        parts: [
          { kind, name: '/var', labels: { type: 'ext4' }, used_percent: used },
          { kind, name: '/backup/old', used_percent: 99 },
          { kind, name: '/', used_percent: 10 },
        ],
      });
    await expect
      .poll(async () => {
        await send(95);
        return (await alertsOf(rule.id)).length;
      }, SEEN)
      .toBeGreaterThan(0);
    const [alert, ...others] = await alertsOf(rule.id);
    expect(others).toEqual([]);
    const subject = { kind: 'part', name: `${kind}:/var` };
    expect(alert).toMatchObject({ status: 'active', host, subject, metric });

    const got = (path: string) => receiver.got.filter((received) => received.path === `/${path}/${kind}`);
    await expect.poll(() => [got('slack').length, got('webhook').length], SEEN).toEqual([1, 1]);
    expect(got('slack')[0]?.body).toContain(`${host}, ${kind} /var: ${rule.name}`);
    expect(JSON.parse(got('webhook')[0]?.body ?? '')).toMatchObject({
      type: 'alert.fired',
      data: { alert: { host, subject } },
    });

    const investigated = async () => {
      const { investigation_id: id } = await client.expect(200, 'GET', `/alerts/${alert?.id}`);
      return id === null ? null : (await client.expect(200, 'GET', `/investigations/${id}`)).status;
    };
    await expect.poll(investigated, { ...SEEN, timeout: 60_000 }).toBe('completed');

    await send(20);
    await expect
      .poll(async () => (await alertsOf(rule.id)).map(({ status: is }) => is), SEEN)
      .toEqual(['resolved']);
    await expect.poll(() => got('slack').length, SEEN).toBe(2);
  });

  test('can be tried on stored parts, and names the fault of a selector that asks for parts of no metric', async () => {
    const kind = newKind();
    const host = uniqueName('e2e-parts');
    for (const [secondsAgo, used] of [
      [120, 95],
      [60, 96],
    ] as const)
      await client.ingest({
        host,
        timestamp: new Date(Date.now() - secondsAgo * 1_000).toISOString(),
        metrics: {},
        parts: [
          { kind, name: '/var', used_percent: used },
          { kind, name: '/backup', used_percent: used },
        ],
      });
    const rule = {
      name: 'tried',
      metric: `${kind}.used_percent`,
      condition: 'greater_than',
      threshold: 90,
      duration_minutes: 0,
      overrides: [{ match: { part: '/backup*' }, enabled: false }],
    };
    const preview = () => client.expect(200, 'POST', '/alerts/rules/preview', { rule, thresholds: [90, 97] });
    await expect
      .poll(async () => (await preview()).alerts, SEEN)
      .toMatchObject([{ host, subject: { kind: 'part', name: `${kind}:/var` }, peak_value: 96 }]);
    const { curve } = await preview();
    expect(curve.map((each: { alerts: number }) => each.alerts)).toEqual([1, 0]);

    const refused = { ...rule, metric: 'used_percent' };
    const problem = await client.expect(422, 'POST', '/alerts/rules', refused);
    expect(problem.errors).toMatchObject([
      { in: 'body', path: '/overrides/0/match/part', code: 'not_allowed' },
    ]);
  });

  test('is muted for a part by a silence that names it', async () => {
    const kind = newKind();
    const host = uniqueName('e2e-parts');
    const rule = await createRule(client, { metric: `${kind}.failed`, threshold: 0 });
    const silence = await client.expect(201, 'POST', '/silences', {
      matchers: { subjects: [{ kind: 'part', name: `${kind}:nginx*` }] },
      from: new Date(Date.now() - 1_000).toISOString(),
      until: new Date(Date.now() + 600_000).toISOString(),
    });
    const unit = (name: string) => ({ kind, name, failed: 1 });
    const mutedBy = async () => {
      await client.ingest({ host, metrics: {}, parts: [unit('nginx.service'), unit('cron.service')] });
      const { alerts } = await client.expect(200, 'GET', `/alerts?status=all&rule_id=${rule.id}`);
      return Object.fromEntries(
        alerts.map(({ subject, silenced_by }: { subject: { name: string }; silenced_by: string | null }) => [
          subject.name,
          silenced_by,
        ]),
      );
    };
    await expect
      .poll(mutedBy, SEEN)
      .toEqual({ [`${kind}:nginx.service`]: silence.id, [`${kind}:cron.service`]: null });
    await client.expect(204, 'DELETE', `/silences/${silence.id}`);
  });
});
