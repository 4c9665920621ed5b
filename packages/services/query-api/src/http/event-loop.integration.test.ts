import { newId } from '@tidewatch/contracts/values/id';
import { transact } from '@tidewatch/database/connection';
import { EventLoopWatch, MAX_DELAY_MS, MAX_ROUND_CPU_MS } from '@tidewatch/harness/event-loop-watch';
import { openForFile } from '@tidewatch/harness/opened';
import { appendLog } from '@tidewatch/store/sample-log/append-log';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const RULES = '/api/v1/alerts/rules';
const HOSTS = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(240, 'h'));
const rule = (index: number, more: object = {}) => ({
  external_id: `s/${index}`,
  name: `rule ${index}`,
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  scope: { tags: { role: ['web-*', 'db-*'] } },
  description: 'x'.repeat(200),
  ...more,
});

const api = await openForFile(openApi({ rulesLimit: 20_000 }));

describe('requests of an organization with much data', () => {
  let watch: EventLoopWatch;

  beforeAll(async () => {
    for (let set = 0; set < 4; set += 1) {
      const rules = Array.from({ length: 1_000 }, (_, index) => rule(set * 1_000 + index));
      expect((await api.call('PUT', RULES, { body: { rules } })).status).toBe(200);
    }
    watch = new EventLoopWatch();
  });

  beforeEach(() => {
    watch.take();
  });

  afterAll(() => watch?.stop());

  const expectShortRounds = () => {
    const { cpuMs, delayMs } = watch.take();
    expect(cpuMs).toBeLessThan(MAX_ROUND_CPU_MS);
    expect(delayMs).toBeLessThan(MAX_DELAY_MS);
  };

  it('do not block the event loop while rules are exported', async () => {
    const yaml = await api.get(`${RULES}?format=yaml`);
    expect(yaml.text.match(/external_id/g)).toHaveLength(4_000);
    expectShortRounds();
  });

  it('do not block the event loop while thousands of rules are deleted', async () => {
    const { body } = await api.call('PUT', RULES, { body: { rules: [rule(0)], prune: true } });
    expect(body.deleted).toHaveLength(3_999);
    expectShortRounds();
    const { pagination } = (await api.get('/api/v1/audit?action=rule.deleted&limit=1')).body;
    expect(pagination.total).toBe(3_999);
  });

  it('do not block the event loop while lists of large rules are written, with an entity tag of the whole list', async () => {
    const overrides = Array.from({ length: 8 }, (_, index) => ({
      match: { hosts: HOSTS.slice(0, 25) },
      threshold: index,
    }));
    for (let index = 0; index < 50; index += 1)
      await api.call('POST', RULES, { body: rule(10_000 + index, { scope: { hosts: HOSTS }, overrides }) });
    watch.take();
    const { text, headers } = await api.get(`${RULES}?limit=100`);
    expect(text.length).toBeGreaterThan(3_000_000);
    const tag = headers.get('etag') ?? '';
    expect((await api.get(`${RULES}?limit=100`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expectShortRounds();
  });

  it('are refused for series of more points than allowed, and answered in full otherwise', async () => {
    const service = newId('svc');
    await api.service(service, 'wide');
    const slots = Array.from({ length: 16 }, (_, slot) => slot);
    const ids: number[] = [];
    for (let ordinal = 0; ordinal < 7; ordinal += 1) {
      const names = slots.map((slot) => `m${ordinal}_${slot}`);
      const [block] = await api.sql<{ id: number }[]>`
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
        values (${api.organizationId}, ${service}, 'host', 'wide', ${ordinal}, ${names}) returning id`;
      ids.push((block as { id: number }).id);
    }
    const samples = Array.from({ length: 10_000 }, (_, nth) => ({
      organizationId: api.organizationId,
      serviceId: service,
      anchor: ids[0] as number,
      time: NOW - (nth + 1) * 10_000,
      ids,
      values: ids.flatMap(() => slots.map((slot) => nth + 1 + slot)),
    }));
    await transact(api.sql, (tx) => appendLog(tx, samples));
    const range = `from=${new Date(NOW - 100_000_000).toISOString()}&to=${new Date(NOW).toISOString()}&step=10`;
    const path = `/api/v1/services/${service}/metrics?${range}`;
    watch.take();
    const refused = await api.get(path);
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      422,
      { path: '/metrics', code: 'too_large' },
    ]);
    const names = slots.flatMap((slot) => [`m0_${slot}`, `m5_${slot}`]);
    const { series } = (await api.get(`${path}&metrics=${names.join(',')}`)).body;
    expect(series.map(({ metric }: { metric: string }) => metric)).toEqual(names);
    for (const { points } of series) expect(points).toHaveLength(10_000);
    expect(series[3].points.at(-1).avg).toBe(2);
  });
});
