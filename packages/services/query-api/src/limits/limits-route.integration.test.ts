import { limitsSchema } from '@tidewatch/contracts/limits/limits';
import { openForFile } from '@tidewatch/harness/opened';
import { createMemoryBucket } from '@tidewatch/runtime/limits/token-bucket';
import { describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const LIMITS = '/api/v1/limits';

const samples = createMemoryBucket(6_000, () => 0);
const api = await openForFile(openApi({ rulesLimit: 100 }, undefined, samples));

describe('limits', () => {
  const read = async (options: object = {}) => {
    api.clock.now += 10_000;
    const { status, body } = await api.get(LIMITS, { key: 'reader', ...options });
    expect(status).toBe(200);
    return limitsSchema.strict().parse(body);
  };

  it('are answered with what the organization uses', async () => {
    const before = await read();
    expect(before).toMatchObject({
      samples: { per_minute: 6_000, available: 6_000 },
      series: { limit: 1_000_000, used: 0 },
      rules: { limit: 100 },
      channels: { used: 0 },
      markers: { limit: 100_000, used: 0 },
    });
    const rule = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    await api.call('POST', '/api/v1/alerts/rules', { body: rule });
    await api.call('POST', '/api/v1/markers', { body: { title: 'deploy' } });
    await samples.take(api.organizationId, 1_000, 0);
    const after = await read();
    expect(after.rules.used).toBe(before.rules.used + 1);
    expect(after.markers.used).toBe(1);
    expect(after.audit_bytes.used).toBeGreaterThan(before.audit_bytes.used);
    expect(after.samples.available).toBe(5_000);
  });

  it('of parts are answered with those of the host that has the most active ones', async () => {
    const at = new Date(api.clock.now).toISOString();
    const old = new Date(api.clock.now - 2 * 86_400_000).toISOString();
    for (const [host, parts] of [
      ['web-1', [at, at, old]],
      ['web-2', [at]],
    ] as const) {
      await api.service(`svc_${host}`, host);
      for (const [index, time] of parts.entries()) {
        const [part] = await api.sql<{ id: number }[]>`
          insert into parts (organization_id, service_id, kind, name, host)
          values (${api.organizationId}, ${`svc_${host}`}, 'disk', ${`sd${index}`}, ${host}) returning id`;
        const id = part?.id ?? 0;
        const [block] = await api.sql<{ id: number }[]>`
          insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
          values (${api.organizationId}, ${`svc_${host}`}, 'part', '', ${index}, array['busy', 'await', 'old'], ${[id, id, id]})
          returning id`;
        await api.sql`insert into block_latest (block_id, applied_at, times, vals)
          values (${block?.id ?? 0}, now(), array[${time}::timestamptz, ${time}::timestamptz, ${old}::timestamptz], array[1, 1, 1]::float8[])`;
      }
    }
    expect(await read()).toMatchObject({
      parts_per_host: { limit: 256, used: 2 },
      part_series_per_host: { limit: 2_000, used: 4 },
    });
    expect(await read({ key: 'stranger' })).toMatchObject({ parts_per_host: { used: 0 } });
  });

  it('count the requests of the key that asks', async () => {
    const [first, second] = [await read({ key: 'limited' }), await read({ key: 'limited' })];
    expect(first.requests).toMatchObject({ per_minute: 2, used: 1 });
    expect(second.requests).toMatchObject({ per_minute: 2, used: 2 });
    expect((await api.get(LIMITS, { key: 'limited' })).status).toBe(429);
  });

  it('are of the own organization, and take no parameters', async () => {
    const theirs = await read({ key: 'stranger' });
    expect([theirs.rules.used, theirs.markers.used, theirs.samples.available]).toEqual([0, 0, 6_000]);
    expect((await api.get(`${LIMITS}?of=x`)).status).toBe(422);
  });
});
