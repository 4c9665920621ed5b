import { summarySchema } from '@tidewatch/contracts/summary/summary';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { writePipelineClocks } from '@tidewatch/store/health/pipeline-clocks';
import { describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const SUMMARY = '/api/v1/summary';
const RULES = '/api/v1/alerts/rules';

const api = await openForFile(openApi());

describe('the summary', () => {
  const read = async (options = {}) => {
    api.clock.now += 1_000;
    const { status, body } = await api.get(SUMMARY, { key: 'reader', ...options });
    expect(status).toBe(200);
    return summarySchema.strict().parse(body);
  };

  it('of a new organization is all zero', async () => {
    const summary = await read();
    expect(summary).toMatchObject({
      as_of: new Date(NOW + 1_000).toISOString(),
      services: { total: 0, healthy: 0, archived: 0 },
      alerts: { total: 0, critical: { total: 0, acknowledged: 0 } },
      evaluation_lag_seconds: null,
      notifications: { failed: 0, failing_channels: [] },
      setup: { channels: 0, public_url: true },
    });
  });

  it('counts what the lists hold', async () => {
    const service = newId('svc');
    for (const [index, status] of ['healthy', 'critical', 'offline', 'healthy'].entries())
      await api.sql`insert into services (organization_id, id, host, status, first_seen, status_since, archived_at)
        values (${api.organizationId}, ${index === 1 ? service : newId('svc')}, ${`web-${index}`}, ${status}, ${NOW}, ${NOW},
          ${index === 3 ? NOW : null})`;
    for (const [severity, acknowledged, shadow, status] of [
      ['critical', true, false, 'active'],
      ['critical', false, false, 'active'],
      ['warning', false, false, 'active'],
      ['critical', false, false, 'resolved'],
      ['info', false, true, 'active'],
    ] as const)
      await api.sql`
        insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
          status, state, severity, metric, condition, threshold, summary, fired_at, context, acknowledged_at, shadow)
        values (${api.organizationId}, ${newId('alr')}, ${newId('rul')}, 'CPU', 1, ${service}, 'web-1', 'host', 'web-1',
          ${status}, 'firing', ${severity}, 'm', 'greater_than', 90, 'x', ${NOW}, '{"processes": [], "containers": []}',
          ${acknowledged ? NOW : null}, ${shadow})`;
    const summary = await read();
    expect(summary.services).toEqual({
      total: 3,
      healthy: 1,
      degraded: 0,
      critical: 1,
      offline: 1,
      maintenance: 0,
      archived: 1,
    });
    expect(summary.alerts).toEqual({
      total: 3,
      critical: { total: 2, acknowledged: 1 },
      warning: { total: 1, acknowledged: 0 },
      info: { total: 0, acknowledged: 0 },
    });
    const total = async (path: string) => (await api.get(path)).body.pagination.total;
    expect(summary.services.total).toBe(await total('/api/v1/services'));
    expect(summary.alerts.total).toBe(await total('/api/v1/alerts'));
  });

  it('names the channels whose last delivery failed, and counts failed notifications of a day', async () => {
    const body = { kind: 'webhook', name: 'on call', config: { url: 'http://127.0.0.1:9/hook' } };
    const channel = (await api.call('POST', '/api/v1/channels', { body })).body.id;
    await api.sql`insert into channel_deliveries (organization_id, channel_id, status, at, error)
      values (${api.organizationId}, ${channel}, 'failed', ${NOW}, 'no_service')`;
    for (const age of [1, 2 * DAY_MS])
      await api.sql`
        insert into notifications (organization_id, id, event_id, transition, direction, channel, channel_kind, status,
          next_attempt_at, give_up_at, created_at)
        values (${api.organizationId}, ${newId('ntf')}, ${newId('evt')}, 'fired', 'opening', 'x', 'webhook', 'failed',
          ${NOW}, ${NOW}, ${NOW - age})`;
    const { notifications, setup } = await read();
    expect(notifications).toEqual({
      failed: 1,
      failing_channels: [
        {
          id: channel,
          name: 'on call',
          kind: 'webhook',
          failed_at: new Date(NOW).toISOString(),
          error: 'no_service',
        },
      ],
    });
    expect(setup.channels).toBe(1);
    await api.call('DELETE', `/api/v1/channels/${channel}`);
    expect((await read()).notifications.failing_channels).toEqual([]);
  });

  it('counts rules that notify no channel', async () => {
    const rule = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    const { enabled } = (await read()).rules;
    await api.call('POST', RULES, { body: { ...rule, channels: [] } });
    await api.call('POST', RULES, { body: { ...rule, channels: [], mode: 'shadow' } });
    await api.call('POST', RULES, { body: { ...rule, channels: [], enabled: false } });
    await api.call('POST', RULES, { body: { ...rule, channels: ['slack'] } });
    expect((await read()).rules).toEqual({ enabled: enabled + 3, without_channels: 1 });
  });

  it('has the lag of the partition that is furthest behind', async () => {
    const clocks = [1_500, 400].map((age, partition) => ({
      partition,
      partitions: 2,
      completeUntil: api.clock.now + 1_000 - age,
    }));
    await writePipelineClocks(api.sql, clocks);
    expect((await read()).evaluation_lag_seconds).toBe(1.5);
  });

  it('is read once a second, has an entity tag, and is of the own organization alone', async () => {
    const first = await api.get(SUMMARY);
    await api.sql`update services set status = 'degraded' where status = 'healthy'`;
    const tag = first.headers.get('etag') ?? '';
    expect((await api.get(SUMMARY, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expect((await read()).services.degraded).toBe(1);
    expect((await read({ key: 'stranger' })).services.total).toBe(0);
    expect((await api.get(`${SUMMARY}?fields=alerts`)).body).toEqual({ alerts: expect.anything() });
    expect((await api.get(`${SUMMARY}?limit=1`)).status).toBe(422);
  });
});
