import { previewSchema } from '@tidewatch/contracts/rules/preview';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApiOfRows } from '../testing/query-api.harness.ts';

const PATH = '/api/v1/alerts/rules/preview';
/** The end of the samples on a whole hour, so that tests can name single minutes. */
const HERE = Math.floor(NOW / HOUR_MS) * HOUR_MS - 10 * HOUR_MS;
const LONG_AGO = HERE - 15 * DAY_MS;
const RULE = {
  name: 'busy',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
};

const api = await openForFile(openApiOfRows());

describe('a preview', () => {
  const blocks = new Map<string, number>();

  beforeAll(async () => {
    const { sql } = api;
    for (const [table, days] of [
      ['samples', 2],
      ['rollup_1m', 20],
    ] as const)
      for (let day = Math.floor(NOW / DAY_MS) - days; day <= Math.floor(NOW / DAY_MS) + 1; day += 1)
        await sql`select ensure_partition(${table}, ${day * DAY_MS}::timestamptz, ${(day + 1) * DAY_MS}::timestamptz)`;
    await sql`select ensure_partition('rollup_1h', ${LONG_AGO - DAY_MS}::timestamptz, ${NOW + DAY_MS}::timestamptz)`;
    await host('web-1', 'host', { role: 'web' }, 'cpu_percent');
    await host('db-1', 'host', { role: 'db' }, 'cpu_percent');
    await host('web-1', 'container', {}, 'cpu_percent');
    // Samples that are above the threshold for ten minutes of the third hour.
    for (const name of ['web-1', 'db-1', 'api'])
      await sql`insert into samples ("time", block_id, v3) select ${HERE}::timestamptz + n * interval '10 seconds',
          ${block(name)}, case when n between 800 and 859 then 95 else 40 end from generate_series(0, 3599) n`;
    // For two weeks ago, only rollups of minutes are kept.
    await sql`insert into rollup_1m (bucket, block_id, sum3, cnt3, min3, max3)
      select ${LONG_AGO}::timestamptz + n * interval '1 minute', ${block('db-1')}, 6 * v, 6, v - 1, v + 1
      from generate_series(0, 599) n, lateral (select case when n between 100 and 120 then 95 else 30 end as v) x`;
    await sql`insert into rollup_1h (bucket, block_id, sum3, cnt3, min3, max3)
      select date_bin('1 hour', bucket, 'epoch'), block_id, sum(sum3), sum(cnt3), min(min3), max(max3)
      from rollup_1m group by 1, 2`;
  });

  function block(name: string): number {
    return blocks.get(name) as number;
  }

  async function host(
    name: string,
    kind: 'host' | 'container',
    tags: Record<string, string>,
    metric: string,
  ) {
    const { sql, organizationId } = api;
    const [known] = await sql<{ id: string }[]>`select id from services where host = ${name}`;
    const id = known?.id ?? newId('svc');
    if (!known) await api.service(id, name, tags);
    const subject = kind === 'host' ? name : 'api';
    const [row] = await sql<{ id: number }[]>`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      values (${organizationId}, ${id}, ${kind}, ${subject}, 0, array['', '', '', ${metric}]) returning id`;
    blocks.set(subject, row?.id as number);
  }

  const ask = (body: object, key = 'reader') => api.call('POST', PATH, { key, body });
  const iso = (ms: number) => new Date(ms).toISOString();

  it('lists the hosts that would have alerted, and when', async () => {
    const { status, body } = await ask({ rule: RULE });
    expect(status).toBe(200);
    expect(previewSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      tier: 'raw',
      approximate: false,
      services_evaluated: 2,
      alerts_total: 2,
      curve: [],
    });
    expect([body.from, body.to]).toEqual([iso(NOW - 7 * DAY_MS), iso(NOW)]);
    const alert = {
      subject: { kind: 'host', name: 'db-1' },
      host: 'db-1',
      severity: 'warning',
      peak_value: 95,
      pending_since: iso(HERE + 8_000_000),
      fired_at: iso(HERE + 8_300_000),
      resolved_at: iso(HERE + 8_600_000),
    };
    expect(body.alerts).toMatchObject([
      alert,
      { ...alert, host: 'web-1', subject: { kind: 'host', name: 'web-1' } },
    ]);
  });

  it('counts alerts for each threshold and duration', async () => {
    const from = iso(NOW - 3.5 * DAY_MS);
    const { body } = await ask({ rule: RULE, from, thresholds: [30, 90, 96], durations: [0, 5, 10] });
    const points = body.curve.map((p: Record<string, number>) => [p.threshold, p.duration_minutes, p.alerts]);
    expect(points).toEqual([
      ...[
        [30, 0, 2],
        [30, 5, 2],
        [30, 10, 2],
      ],
      ...[
        [90, 0, 2],
        [90, 5, 2],
        [90, 10, 0],
      ],
      ...[
        [96, 0, 0],
        [96, 5, 0],
        [96, 10, 0],
      ],
    ]);
    expect(body.curve[0].alerts_per_week).toBe(4);
  });

  it('applies scope and overrides, and evaluates containers by themselves', async () => {
    const scoped = await ask({ rule: { ...RULE, scope: { tags: { role: 'web' } } } });
    expect(scoped.body).toMatchObject({ services_evaluated: 1, alerts: [{ host: 'web-1' }] });
    const overrides = [{ match: { hosts: ['db-*'] }, threshold: 97 }];
    const exceptional = await ask({ rule: { ...RULE, overrides } });
    expect(exceptional.body).toMatchObject({ services_evaluated: 2, alerts: [{ host: 'web-1' }] });
    const container = await ask({ rule: { ...RULE, metric: 'container.cpu_percent' } });
    expect(container.body.alerts).toMatchObject([
      { host: 'web-1', subject: { kind: 'container', name: 'api' } },
    ]);
  });

  it('evaluates rollups of a minute where samples have expired, and reports that', async () => {
    const range = { from: iso(LONG_AGO - HOUR_MS), to: iso(LONG_AGO + DAY_MS) };
    const { body } = await ask({ rule: RULE, ...range });
    expect(body).toMatchObject({
      tier: '1m',
      approximate: true,
      services_evaluated: 1,
      alerts_total: 1,
      ...range,
    });
    expect(body.alerts).toMatchObject([
      {
        host: 'db-1',
        peak_value: 96,
        fired_at: iso(LONG_AGO + 105 * MINUTE_MS),
        resolved_at: iso(LONG_AGO + 121 * MINUTE_MS),
      },
    ]);
  });

  it('skips hours whose min and max cannot breach', async () => {
    const range = { from: iso(LONG_AGO), to: iso(LONG_AGO + DAY_MS) };
    const { sql } = api;
    await sql`update rollup_1h set max3 = 50 where block_id = ${block('db-1')}`;
    expect((await ask({ rule: RULE, ...range })).body).toMatchObject({
      services_evaluated: 1,
      alerts_total: 0,
    });
    const bucket = Math.floor(LONG_AGO / HOUR_MS) * HOUR_MS + HOUR_MS;
    await sql`insert into dirty_buckets (tier, block_id, bucket) values ('1h', ${block('db-1')}, ${bucket})`;
    expect((await ask({ rule: RULE, ...range })).body).toMatchObject({ alerts_total: 1 });
  });

  it('refuses a policy for missing data, except the one that does nothing', async () => {
    const rule = (policy: string) => ({ ...RULE, no_data: { policy, after_minutes: 5 } });
    const { status, body } = await ask({ rule: rule('alert') });
    expect([status, body.errors]).toMatchObject([422, [{ code: 'unsupported' }]]);
    expect((await ask({ rule: rule('keep_state') })).status).toBe(200);
  });

  it('returns empty lists where there is no data', async () => {
    for (const rule of [
      { ...RULE, metric: 'nothing' },
      { ...RULE, scope: { tags: { role: 'none' } } },
      { ...RULE, metric: 'process.cpu_percent' },
    ]) {
      const { status, body } = await ask({ rule });
      expect([status, body.services_evaluated, body.alerts, body.alerts_total]).toEqual([200, 0, [], 0]);
    }
    expect((await ask({ rule: RULE }, 'stranger')).body).toMatchObject({ services_evaluated: 0, alerts: [] });
  });

  it.each([
    ['/rule/threshold', { rule: { ...RULE, threshold: 'high' } }],
    ['/rule', {}],
    ['/rule/metric', { rule: { ...RULE, metric: 'host.silent_minutes' } }],
    ['/rule/metric', { rule: { ...RULE, metric: 'process.count', scope: { process: 'nginx' } } }],
    ['/rule/no_data/policy', { rule: { ...RULE, no_data: { policy: 'alert', after_minutes: 5 } } }],
    ['/rule/no_data/policy', { rule: { ...RULE, no_data: { policy: 'resolve', after_minutes: 5 } } }],
    ['/thresholds', { rule: RULE, thresholds: [] }],
    ['/thresholds', { rule: RULE, thresholds: Array.from({ length: 21 }, (_, index) => index) }],
    ['/durations/0', { rule: RULE, durations: [-1] }],
    [
      '/durations',
      {
        rule: { ...RULE, threshold: null, thresholds: [{ severity: 'info', threshold: 1 }] },
        durations: [1],
      },
    ],
    ['/thresholds/0', { rule: { ...RULE, condition: 'between', threshold_max: 95 }, thresholds: [96] }],
    ['/from', { rule: RULE, from: 'yesterday' }],
    ['/from', { rule: RULE, from: '2030-01-01T00:00:00Z' }],
    ['/to', { rule: RULE, from: iso(NOW - DAY_MS), to: iso(NOW - 2 * DAY_MS) }],
    ['/to', { rule: RULE, from: iso(NOW - 90 * DAY_MS), to: iso(NOW - 80 * DAY_MS) }],
    ['/more', { rule: RULE, more: 1 }],
  ])('names %s', async (path, body) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, path]);
  });

  it('runs once at a time for each organization', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ask({ rule: RULE, durations: [1, 2, 3] })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused)
      expect([headers.get('Retry-After'), body.code]).toEqual(['2', 'preview_running']);
    expect((await ask({ rule: RULE })).status).toBe(200);
  });

  it('needs the scope read', async () => {
    expect((await ask({ rule: RULE }, 'agent')).status).toBe(403);
  });

  it('is refused with the allowed range where it would evaluate too much', async () => {
    const { sql } = api;
    await sql`insert into rollup_1m (bucket, block_id, cnt3) values (${HERE + 10 * HOUR_MS - MINUTE_MS}, ${block('web-1')}, 6)`;
    await sql`insert into rollup_1h (bucket, block_id, cnt3, min3, max3)
      select ${HERE}::timestamptz + n * interval '1 hour', ${block('web-1')}, 2000000, 1, 99 from generate_series(0, 9) n`;
    const answer = await ask({ rule: RULE, from: iso(HERE), to: iso(HERE + 10 * HOUR_MS) });
    expect([answer.status, answer.body.errors[0]]).toMatchObject([422, { path: '/from', code: 'too_much' }]);
    const possible = iso(HERE + 8 * HOUR_MS);
    expect(answer.body.errors[0].message).toContain(possible);
    expect((await ask({ rule: RULE, from: possible, to: iso(HERE + 10 * HOUR_MS) })).status).toBe(200);
  });

  it('suggests a range that is not too large where its samples are still stored', async () => {
    const { sql, organizationId } = api;
    const end = HERE + 10 * HOUR_MS;
    await sql`insert into services (organization_id, id, host, first_seen, status_since)
      select ${organizationId}, 'svc_' || lpad(to_hex(n), 32, '0'), 'crowd-' || n, now(), now() from generate_series(1, 100) n`;
    await sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      select organization_id, id, 'host', host, 0, array['crowded'] from services where host like 'crowd-%'`;
    await sql`insert into rollup_1m (bucket, block_id, cnt0)
      select ${end - MINUTE_MS}::timestamptz, id, 6 from blocks where metrics[1] = 'crowded'`;
    await sql`insert into rollup_1h (bucket, block_id, cnt0, min0, max0)
      select ${end}::timestamptz - n * interval '1 hour', id, 360, 1, 99
      from blocks, generate_series(1, 10 * 24) n where metrics[1] = 'crowded'`;
    const body = {
      rule: { ...RULE, metric: 'crowded' },
      thresholds: Array.from({ length: 20 }, (_, index) => 80 + index),
      durations: Array.from({ length: 10 }, (_, index) => index),
    };
    const answer = await ask({ ...body, from: iso(HERE - 9 * DAY_MS), to: iso(end) });
    expect([answer.status, answer.body.errors[0]]).toMatchObject([422, { path: '/from', code: 'too_much' }]);
    // The limit of 100,000,000 steps allows 497,512 values with 200 candidates: for 100 hosts 82 hours of minutes, or 13
    // hours of samples.
    const possible = end - 13 * HOUR_MS;
    expect(answer.body.errors[0].message).toContain(iso(possible));
    const again = await ask({ ...body, from: iso(possible), to: iso(end) });
    expect([again.status, again.body.tier]).toEqual([200, 'raw']);
    expect((await ask({ ...body, from: iso(possible - HOUR_MS), to: iso(end) })).status).toBe(422);
  });
});
