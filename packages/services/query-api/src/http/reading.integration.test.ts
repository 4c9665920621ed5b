import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const COUNT = 7;
const RULE = { name: 'r', metric: 'cpu_percent', condition: 'greater_than', threshold: 1 };

/** Tests behaviour that all lists and objects have in common, on each of them. */
const api = await openForFile(openApi());

describe('reading', () => {
  let single: Record<string, string>;

  beforeAll(async () => {
    for (let i = 0; i < COUNT; i++) {
      api.clock.now = NOW + i * 1_000;
      const from = new Date(NOW + (i % 3) * 3_600_000).toISOString();
      const until = new Date(NOW + 10 * 3_600_000 - i * 60_000).toISOString();
      const rule = { ...RULE, name: `Rule ${(i * 3) % COUNT}`, metric: `m_${i % 2}`, enabled: i % 3 !== 0 };
      await create('alerts/rules', { ...rule, severity: i === 2 ? 'critical' : 'warning' });
      await create('channels', {
        kind: i % 2 === 0 ? 'email' : 'slack',
        name: `c${(i * 5) % COUNT}`,
        enabled: i !== 4,
        config:
          i % 2 === 0 ? { to: ['a@example.com'] } : { webhook_url: 'https://hooks.slack.com/services/T/B/X' },
      });
      await create('silences', { matchers: { hosts: [`h-${i}`] }, from, until });
    }
    const services = Array.from({ length: COUNT }, () => newId('svc'));
    const alerts = Array.from({ length: COUNT }, () => newId('alr'));
    await api.sql`insert into services (organization_id, id, host, tags, first_seen, status_since)
      select ${api.organizationId}, id, 'h-' || n, '{"region": "eu", "env": "x"}', ${NOW},
        ${NOW}::timestamptz - (n % 3) * interval '1 s'
      from unnest(${services}::text[]) with ordinality u (id, n)`;
    await api.sql`insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind,
        subject_name, status, state, severity, metric, condition, summary, fired_at, created_at, context)
      select ${api.organizationId}, id, ${newId('rul')}, 'r', 1, ${services[0] ?? ''}, 'h', 'host', 'h', 'active', 'firing', 'info',
        'm', 'greater_than', '', ${NOW}::timestamptz - (n % 4) * interval '1 s', ${NOW}::timestamptz + (n % 3) * interval '1 s',
        '{"processes": [{"name": "p", "pid": 1, "cpu_percent": 2, "memory_rss": 3}], "containers": []}'
      from unnest(${alerts}::text[]) with ordinality u (id, n)`;
    await api.sql`insert into notifications (organization_id, id, event_id, rule_id, direction, transition, status, attempts, created_at,
        channel, channel_kind, give_up_at, next_attempt_at)
      select ${api.organizationId}, 'ntf_' || lpad(n::text, 32, '0'), ${newId('evt')}, ${newId('rul')}, 'opening', 'fired', 'not_configured', 0,
        ${NOW}::timestamptz + n * interval '1 s', 'slack', 'slack', ${NOW}::timestamptz, ${NOW}::timestamptz
      from generate_series(1, ${COUNT}) n`;
    const first = async (list: string, noun: string) => (await api.get(`/api/v1/${list}`)).body[noun][0].id;
    single = {
      services: `services/${services[0]}`,
      alerts: `alerts/${alerts[0]}`,
      evidence: `alerts/${alerts[0]}/evidence`,
      rules: `alerts/rules/${await first('alerts/rules', 'rules')}`,
      channels: `channels/${await first('channels', 'channels')}`,
      silences: `silences/${await first('silences', 'silences')}`,
    };
  });

  async function create(path: string, body: object) {
    const { status, text } = await api.call('POST', `/api/v1/${path}`, { body });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  }

  const LISTS: [path: string, noun: string, fields: string[]][] = [
    ['services', 'services', ['name', 'status_since']],
    ['alerts', 'alerts', ['fired_at', 'created_at']],
    ['alerts/rules', 'rules', ['created_at', 'updated_at', 'name']],
    ['channels', 'channels', ['created_at', 'updated_at', 'name']],
    ['silences', 'silences', ['created_at', 'from', 'until']],
    ['notifications', 'notifications', ['created_at']],
  ];

  it.each(LISTS)('%s is paged in each of its orders, by cursor and by offset', async (path, noun, fields) => {
    for (const field of fields)
      for (const sign of ['', '-']) {
        const by = (sign === '' ? 1 : -1) as 1 | -1;
        const compare = (a: Body, b: Body) =>
          by * (Number(a[field] > b[field]) - Number(a[field] < b[field]) || (a['id'] > b['id'] ? 1 : -1));
        const { seen, total } = await api.walk(`/api/v1/${path}?sort=${sign}${field}`, noun, 'offset', 2);
        expect([total, seen.map(({ id }) => id)]).toEqual([
          COUNT,
          [...seen].sort(compare).map(({ id }) => id),
        ]);
        const other = await api.walk(`/api/v1/${path}?sort=${sign}${field}`, noun, 'cursor', 3);
        expect(other.seen).toEqual(seen);
      }
  });

  it.each(LISTS)(
    '%s refuses the cursor of another order, and other orders and fields',
    async (path, _, fields) => {
      const { body } = await api.get(`/api/v1/${path}?limit=1&sort=${fields[0]}`);
      const cursor = body['pagination'].next_cursor;
      for (const [query, at] of [
        [`sort=-${fields[0]}&cursor=${cursor}`, '/cursor'],
        ['sort=nothing', '/sort'],
        ['fields=id,nothing', '/fields'],
        ['fields=id.inner', '/fields'],
      ]) {
        const answer = await api.get(`/api/v1/${path}?${query}`);
        expect([query, answer.status, answer.body['errors']?.[0].path]).toEqual([query, 422, at]);
      }
    },
  );

  it('answers the requested fields, also members of fields and of each entry of a list', async () => {
    const one = async (path: string, noun: string) => (await api.get(`/api/v1/${path}`)).body[noun][0];
    expect(await one('services?fields=name,tags.region,metrics.cpu_percent', 'services')).toEqual({
      name: 'h-1',
      tags: { region: 'eu' },
      metrics: { cpu_percent: null },
    });
    expect(await one('alerts?fields=subject.kind,subject.name,context.processes', 'alerts')).toMatchObject({
      subject: { kind: 'host', name: 'h' },
      context: { processes: [{ name: 'p' }] },
    });
    expect(Object.keys(await one('alerts/rules?fields=name,id', 'rules'))).toEqual(['name', 'id']);
    expect((await api.get(`/api/v1/${single['rules']}?fields=severity`)).body).toEqual({
      severity: 'warning',
    });
    expect((await api.get(`/api/v1/${single['rules']}?fields=nothing`)).status).toBe(422);
  });

  it('answers 304 for every list and object that has not changed', async () => {
    for (const path of [...Object.values(single), ...LISTS.map(([list]) => list)]) {
      const { headers } = await api.get(`/api/v1/${path}`);
      const tag = headers.get('etag') ?? 'none';
      const again = await api.get(`/api/v1/${path}`, { headers: { 'If-None-Match': `"other", ${tag}` } });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      expect((await api.get(`/api/v1/${path}`, { headers: { 'If-None-Match': '"other"' } })).status).toBe(
        200,
      );
    }
  });

  it.each([
    ['alerts/rules?enabled=false', 'rules', 3],
    ['alerts/rules?severity=critical', 'rules', 1],
    ['alerts/rules?metric=m_1', 'rules', 3],
    ['alerts/rules?metric=m_1&enabled=true', 'rules', 2],
    ['alerts/rules?q=RULE', 'rules', 7],
    ['alerts/rules?q=le%203', 'rules', 1],
    ['alerts/rules?q=%25', 'rules', 0],
    ['channels?kind=slack', 'channels', 3],
    ['channels?kind=email&enabled=true', 'channels', 3],
    ['silences?status=active', 'silences', 3],
    [`silences?status=active&at=${new Date(NOW + 2 * 3_600_000).toISOString()}`, 'silences', 7],
    [`silences?status=expired&at=${new Date(NOW + 11 * 3_600_000).toISOString()}`, 'silences', 7],
    ['notifications?status=not_configured', 'notifications', 7],
    ['notifications?status=failed', 'notifications', 0],
  ])('%s chooses %s', async (path, noun, count) => {
    const { seen, total } = await api.walk(`/api/v1/${path}`, noun, 'cursor', 2);
    expect([seen.length, total]).toEqual([count, count]);
  });
});
