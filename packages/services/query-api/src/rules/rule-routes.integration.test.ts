import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApiOfRows } from '../testing/query-api.harness.ts';

const SERVICE = newId('svc');

const api = await openForFile(openApiOfRows());

describe('rules', () => {
  beforeAll(() => api.service(SERVICE, 'Web-03'));

  const rule = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
  const RULES = '/api/v1/alerts/rules';
  const revision = async () =>
    (await api.sql`select revision from revisions where name = 'rules'`)[0]?.revision as number;

  it('on a metric that no host sends are stored, with a warning that suggests a similar metric', async () => {
    await api.sql`
      insert into metric_counts (organization_id, metric, services) values (${api.organizationId}, 'queue_depth', 1)`;
    const warningsOf = async (metric: string) => {
      const { status, body } = await api.call('POST', RULES, { body: { ...rule, metric, channels: [] } });
      expect(status).toBe(201);
      return body.warnings.filter(({ code }: Body) => code === 'metric_not_sent');
    };
    expect(await warningsOf('queue_dept')).toMatchObject([
      { message: expect.stringContaining('No host sends queue_dept. Did you mean queue_depth?') },
    ]);
    expect(await warningsOf('later_than_now')).toMatchObject([
      { message: expect.not.stringContaining('Did you') },
    ]);
    const prepared = { body: { ...rule, metric: 'later_than_now', channels: ['pagerduty'] } };
    const { warnings: ofPrepared } = (await api.call('POST', RULES, prepared)).body;
    expect(ofPrepared.map(({ code }: Body) => code)).toEqual(['channel_not_configured']);
    expect(await warningsOf('container.cpu_percnt')).toMatchObject([
      { message: expect.stringContaining('No container sends container.cpu_percnt.') },
    ]);
    await api.sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      values (${api.organizationId}, ${SERVICE}, 'container', 'api', 0, '{cpu_percent}')`;
    expect(await warningsOf('container.cpu_percnt')).toMatchObject([
      { message: expect.stringContaining('Did you mean container.cpu_percent?') },
    ]);
    for (const metric of ['queue_depth', 'container.cpu_percent', 'host.silent_minutes'])
      expect(await warningsOf(metric), metric).toEqual([]);
    const body = { rule: { ...rule, metric: 'queue_dept' } };
    const preview = await api.call('POST', `${RULES}/preview`, { body });
    expect(preview.body.warnings.map(({ code }: Body) => code)).toEqual(['metric_not_sent']);
    const listed = (await api.get(`${RULES}?limit=100`)).body.rules;
    const warned = listed.filter(({ warnings }: Body) =>
      warnings.some(({ code }: Body) => code === 'metric_not_sent'),
    );
    expect([...new Set(warned.map(({ metric }: Body) => metric))].sort()).toEqual([
      'container.cpu_percnt',
      'later_than_now',
      'queue_dept',
    ]);
    await api.sql`delete from metric_counts where metric = 'queue_depth'`;
    await api.sql`delete from blocks where service_id = ${SERVICE}`;
    const silent = (await api.get(`${RULES}?limit=100`)).body.rules;
    for (const { warnings } of silent)
      expect(warnings.map(({ code }: Body) => code)).not.toContain('metric_not_sent');
    for (const { id } of (await api.get(`${RULES}?limit=100`)).body.rules)
      await api.call('DELETE', `${RULES}/${id}`);
  });

  it('on a metric of processes that no host sends are stored, with a warning that says so until a host sends it', async () => {
    const warningsOf = async (metric: string) => {
      const { body } = await api.call('POST', RULES, { body: { ...rule, metric, channels: [] } });
      await api.call('DELETE', `${RULES}/${body.id}`);
      return body.warnings.filter(({ code }: Body) => code === 'metric_not_sent');
    };
    const send = (processes: object[], at: number) => api.sql`
      insert into snapshots ("time", organization_id, service_id, processes)
      values (${new Date(at)}, ${api.organizationId}, ${SERVICE}, ${JSON.stringify(processes)}::text::jsonb)`;
    const listedWarnings = async () =>
      (await api.get(`${RULES}?limit=100`)).body.rules.flatMap(({ warnings }: Body) =>
        warnings.filter(({ code }: Body) => code === 'metric_not_sent'),
      );
    const stored = await api.call('POST', RULES, {
      body: { ...rule, metric: 'process.memory_rss', channels: [] },
    });
    expect(await warningsOf('process.cpu_percent')).toMatchObject([
      { message: expect.stringContaining('No host sends process.cpu_percent.') },
    ]);
    expect(await listedWarnings()).toEqual([]);
    const now = Date.now();
    await api.sql`select ensure_partition('snapshots', ${now - HOUR_MS}, ${now + HOUR_MS})`;
    await send([{ pid: 1, name: 'init', cpu_percent: 3 }], now - 60_000);
    await send([], now - 30_000);
    expect(await warningsOf('process.cpu_percent')).toEqual([]);
    expect(await warningsOf('process.memory_rss')).toHaveLength(1);
    expect(await listedWarnings()).toHaveLength(1);
    await send([{ pid: 1, name: 'init', memory_rss: 9 }], now);
    expect(await warningsOf('process.memory_rss')).toEqual([]);
    expect(await listedWarnings()).toEqual([]);
    await api.sql`delete from snapshots where service_id = ${SERVICE}`;
    await api.call('DELETE', `${RULES}/${stored.body.id}`);
  });

  it('are created, read, edited and deleted; each change emits an event and raises the revision that evaluators read', async () => {
    const before = await revision();
    const created = await api.call('POST', RULES, { body: { ...rule, channels: ['slack'] } });
    expect([created.status, created.headers.get('location')]).toEqual([201, `${RULES}/${created.body.id}`]);
    expect(created.body).toMatchObject({
      ...rule,
      duration_minutes: 5,
      severity: 'warning',
      version: 1,
      state: 'inactive',
      firing_count: 0,
    });
    expect(created.body.warnings.map(({ code }: Body) => code)).toEqual(['channel_not_configured']);
    api.clock.now += 1_000;
    const path = `${RULES}/${created.body.id}`;
    const edited = await api.call('PATCH', path, { body: { threshold: 80, description: 'why' } });
    expect(edited.body).toMatchObject({ threshold: 80, version: 2, created_at: created.body.created_at });
    const read = await api.get(path);
    expect(read.body).toEqual({ ...edited.body, pending: [] });
    const listed = (await api.get(RULES)).body.rules.find(({ id }: Body) => id === read.body.id);
    expect(Object.keys(listed)).toEqual(Object.keys(created.body));
    expect((await api.call('PATCH', path, { body: { threshold: 80 } })).body.version).toBe(2);
    expect((await api.call('PATCH', path, { body: { description: null } })).body).toMatchObject({
      description: null,
      version: 3,
    });
    expect((await api.call('DELETE', path)).status).toBe(204);
    expect((await api.call('DELETE', path)).status).toBe(404);
    expect((await api.get(path)).status).toBe(404);
    expect(await revision()).toBe(before + 4);
    const events =
      await api.sql`select event ->> 'type' as type from outbox where event ->> 'subject' = ${created.body.id} order by id`;
    expect(events.map(({ type }) => type)).toEqual([
      'rule.created',
      'rule.updated',
      'rule.updated',
      'rule.deleted',
    ]);
  });

  it('have an entity tag that changes with each version', async () => {
    const { body, headers } = await api.call('POST', RULES, { body: rule });
    const path = `${RULES}/${body.id}`;
    const old = headers.get('etag') as string;
    const { headers: now } = await api.get(path);
    const tag = now.get('etag') as string;
    expect((await api.get(path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expect(
      (await api.call('PATCH', path, { body: { threshold: 1 }, headers: { 'If-Match': old } })).status,
    ).toBe(200);
    expect((await api.get(path, { headers: { 'If-None-Match': tag } })).status).toBe(200);
    for (const [method, more] of [
      ['PATCH', { body: { threshold: 2 } }],
      ['DELETE', {}],
    ] as const)
      expect((await api.call(method, path, { ...more, headers: { 'If-Match': old } })).body.code).toBe(
        'precondition_failed',
      );
    expect((await api.call('DELETE', path, { headers: { 'If-Match': '*' } })).status).toBe(204);
  });

  it('list their pending alert instances', async () => {
    const { body } = await api.call('POST', RULES, { body: rule });
    await api.sql`insert into rule_states (organization_id, rule_id, service_id, subject_kind, subject_name, state, pending_since, evaluated_at, value, peak_value)
      values (${api.organizationId}, ${body.id}, ${SERVICE}, 'host', 'Web-03', 'pending', ${NOW}, ${NOW}, 95, 95)`;
    await api.sql`insert into rule_activity (organization_id, rule_id, last_evaluated_at, pending_count) values (${api.organizationId}, ${body.id}, ${NOW}, 1)`;
    const read = (await api.get(`${RULES}/${body.id}`)).body;
    const at = new Date(NOW).toISOString();
    expect(read).toMatchObject({ state: 'pending', last_evaluated_at: at });
    expect(read.pending).toEqual([
      {
        service_id: SERVICE,
        host: 'Web-03',
        subject: { kind: 'host', name: 'Web-03' },
        pending_since: at,
        value: 95,
      },
    ]);
  });

  it('are listed by creation, oldest first', async () => {
    for (let i = 0; i < 5; i++) {
      api.clock.now += i % 2;
      await api.call('POST', RULES, { body: { ...rule, name: `rule ${i}` } });
    }
    const { seen } = await api.walk(RULES, 'rules', 'cursor', 2);
    expect((await api.walk(RULES, 'rules', 'offset', 3)).seen.map(({ id }) => id)).toEqual(
      seen.map(({ id }) => id),
    );
    const order = seen.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order).toEqual([...order].sort());
    expect(
      seen
        .slice(-5)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4].map((i) => `rule ${i}`));
  });

  it.each<[unknown, string]>([
    ['', ''],
    ['{', ''],
    ['null', ''],
    ['[]', ''],
    ['{"a":'.repeat(5_000), ''],
    ['\ud800', ''],
    [{ ...rule, extra: 1 }, '/extra'],
    [{ ...rule, metric: 'host.uptime' }, '/metric'],
    ['{"name":"a","metric":"m","condition":"greater_than","threshold":1e400}', '/threshold'],
  ])('a body that is no rule is 422, case %#', async (body, path) => {
    const answer = await api.call('POST', RULES, { body });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, path]);
  });

  it('are unchanged by an invalid edit', async () => {
    const { body } = await api.call('POST', RULES, { body: rule });
    for (const [change, path] of [
      [{ id: 'x' }, '/id'],
      [{ version: 9 }, '/version'],
      [{ metric: null }, '/metric'],
      [{ condition: 'between' }, '/threshold_max'],
    ] as const) {
      const answer = await api.call('PATCH', `${RULES}/${body.id}`, {
        body: { ...change, description: 'never' },
      });
      expect([answer.status, answer.body.errors.map((fault: Body) => fault.path)]).toEqual([422, [path]]);
    }
    expect((await api.get(`${RULES}/${body.id}`)).body).toMatchObject({ version: 1, description: null });
  });

  it('are refused with other media types, encodings and sizes', async () => {
    const refused = async (headers: object, body: string) =>
      (await api.call('POST', RULES, { headers, body })).body.code;
    expect(await refused({ 'Content-Type': 'text/plain' }, '{}')).toBe('unsupported_media_type');
    for (const name of ['lzma', 'constructor', '__proto__'])
      expect(await refused({ 'Content-Encoding': name }, '{}')).toBe('unsupported_content_encoding');
    const latin = { 'Content-Type': 'application/json; charset=iso-8859-1' };
    expect(await refused(latin, '{}')).toBe('unsupported_media_type');
    expect(await refused({ 'Content-Encoding': 'gzip' }, '{}')).toBe('validation_failed');
    expect(await refused({}, ' '.repeat(300_000))).toBe('payload_too_large');
  });
});
