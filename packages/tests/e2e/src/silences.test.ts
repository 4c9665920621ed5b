import { describe, expect, test } from 'vitest';
import { createRule, SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { target, client } = await openScenario();

/** Creates a rule on a metric of its own, which applies at once, or within seconds in the distributed topology. */
async function makeRule(fields: object = {}): Promise<{ id: string; metric: string }> {
  const metric = uniqueName('m').replaceAll('-', '_');
  return createRule(client, { metric, ...fields });
}

const silence = (matchers: object, more: object = {}) =>
  client.expect(201, 'POST', '/silences', { matchers, from: seconds(-60), until: seconds(3_600), ...more });

async function alertsOf(rule: { id: string }, host: string, status = 'active') {
  const path = `/alerts?status=${status}&rule_id=${rule.id}&host=${host}`;
  return (await client.expect(200, 'GET', path)).alerts;
}

async function fire(rule: { id: string; metric: string }, host: string, at = 0) {
  await client.ingest({ host, timestamp: seconds(at), metrics: { [rule.metric]: 95 } });
  await expect.poll(() => alertsOf(rule, host), SEEN).toHaveLength(1);
  return (await alertsOf(rule, host))[0];
}

describe('silences', () => {
  test('mute matching alerts that fire while they are active, and no others', async () => {
    const [muted, other] = [uniqueName('e2e-muted'), uniqueName('e2e-other')];
    const rule = await makeRule({ severity: 'critical' });
    const before = await fire(rule, muted, -30);
    await client.ingest({ host: muted, timestamp: seconds(-20), metrics: { [rule.metric]: 5 } });
    await expect.poll(() => alertsOf(rule, muted), SEEN).toEqual([]);
    const { id, status, created_by } = await silence({ hosts: [muted], severities: ['critical'] });
    expect([status, created_by.key_id]).toEqual(['active', expect.stringMatching(/^key_/)]);
    const alert = await fire(rule, muted, -10);
    expect([before.silenced_by, alert.silenced_by]).toEqual([null, id]);
    expect((await fire(rule, other)).silenced_by).toBeNull();
    expect((await serviceOf(client, muted)).status).toBe('critical');
    await client.expect(204, 'DELETE', `/silences/${id}`);
    await client.expect(404, 'DELETE', `/silences/${id}`);
    await expect.poll(async () => (await alertsOf(rule, muted))[0]?.silenced_by, SEEN).toBeNull();
  });

  test('of whole hosts put them into maintenance, by the clock alone', async () => {
    const host = uniqueName('e2e-maintained');
    const rule = await makeRule({ severity: 'warning' });
    await fire(rule, host);
    const service = async () => serviceOf(client, host);
    await expect.poll(async () => (await service()).status, SEEN).toBe('degraded');
    const begins = seconds(1);
    await silence({ hosts: [host] }, { from: begins, until: seconds(3) });
    await expect.poll(async () => (await service()).status, SEEN).toBe('maintenance');
    const { status_reasons: reasons, status_since: since } = await service();
    expect(reasons.map(({ code }: { code: string }) => code)).toEqual(['silenced', 'warning_alert']);
    expect(since >= begins).toBe(true);
    const found = await client.expect(200, 'GET', `/services?status=maintenance&q=${host}`);
    expect(found.pagination.total).toBe(1);
    await expect.poll(async () => (await service()).status, SEEN).toBe('degraded');
    expect((await client.expect(200, 'GET', `/services?status=maintenance&q=${host}`)).services).toEqual([]);
  });

  test.runIf(process.env.TIDEWATCH_E2E_URL === undefined)(
    'and the alerts that they mute outlast a restart',
    async () => {
      const host = uniqueName('e2e-restarted');
      const rule = await makeRule();
      const { id } = await silence({ hosts: [host] });
      const alert = await fire(rule, host);
      expect(alert.silenced_by).toBe(id);
      await target.restart?.();
      expect((await client.expect(200, 'GET', `/silences/${id}`)).status).toBe('active');
      expect((await serviceOf(client, host)).status).toBe('maintenance');
      expect((await alertsOf(rule, host))[0]).toMatchObject({ id: alert.id, silenced_by: id });
      await client.expect(204, 'DELETE', `/silences/${id}`);
      await expect.poll(async () => (await serviceOf(client, host)).status, SEEN).toBe('degraded');
      await expect.poll(async () => (await alertsOf(rule, host))[0]?.silenced_by, SEEN).toBeNull();
    },
  );
});

describe('an alert that a user handles', () => {
  test('is acknowledged, and resolved, and the next breach is a new one', async () => {
    const host = uniqueName('e2e-by-hand');
    const rule = await makeRule({ severity: 'critical' });
    const first = await fire(rule, host, -30);
    const acknowledged = await client.expect(200, 'POST', `/alerts/${first.id}/acknowledge`, {
      comment: 'mine',
    });
    expect(acknowledged).toMatchObject({ status: 'active', comments: [{ text: 'mine' }] });
    expect(acknowledged.acknowledged_by.key_id).toMatch(/^key_/);
    const resolved = await client.expect(200, 'POST', `/alerts/${first.id}/resolve`);
    expect(resolved).toMatchObject({ status: 'resolved', resolution: 'manual' });
    expect((await client.expect(409, 'POST', `/alerts/${first.id}/acknowledge`)).code).toBe('alert_resolved');
    await expect.poll(async () => (await serviceOf(client, host)).status, SEEN).toBe('healthy');
    expect((await client.expect(200, 'GET', `/alerts/rules/${rule.id}`)).firing_count).toBe(0);
    const second = await fire(rule, host, -20);
    expect(second.id).not.toBe(first.id);
    expect(await alertsOf(rule, host, 'all')).toHaveLength(2);
    expect((await client.expect(200, 'GET', `/alerts/${first.id}`)).resolution).toBe('manual');
  });

  test('that is resolved while samples arrive is never duplicated', async () => {
    const host = uniqueName('e2e-twins');
    const rule = await makeRule();
    const start = Date.now() - 60_000;
    let sending = true;
    const send = async () => {
      for (let i = 0; sending; i += 1) {
        const timestamp = new Date(start + i).toISOString();
        await client.ingest({ host, timestamp, metrics: { [rule.metric]: i % 7 === 6 ? 5 : 95 } });
      }
    };
    const sender = send();
    for (let resolved = 0; resolved < 25; ) {
      const active = await alertsOf(rule, host);
      expect(active.length).toBeLessThanOrEqual(1);
      if (active.length === 0) continue;
      await client.expect(200, 'POST', `/alerts/${active[0].id}/resolve`);
      resolved += 1;
    }
    sending = false;
    await sender;
    const state = async () => {
      const { firing_count: firing } = await client.expect(200, 'GET', `/alerts/rules/${rule.id}`);
      const active = (await alertsOf(rule, host)).length;
      return { agrees: firing === active, most: active <= 1 };
    };
    await expect.poll(state, SEEN).toEqual({ agrees: true, most: true });
  });
});
