import type { KeyRecord } from '@tidewatch/contracts/access';
import { newId } from '@tidewatch/contracts/id';
import { DEFAULT_RETENTION } from '@tidewatch/domain/rollup/tier';
import { createApp } from '@tidewatch/runtime/app';
import { createAuthentication, keyDigest } from '@tidewatch/runtime/authentication';
import { type HttpServer, listen } from '@tidewatch/runtime/http-server';
import { createSilentLogger } from '@tidewatch/runtime/logger';
import { createMetrics, type Metrics } from '@tidewatch/runtime/metrics';
import { openStore, type Store } from '@tidewatch/store/connection';
import { startDatabase, type TestDatabase } from '@tidewatch/testkit/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueryApi } from './service.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);
const SERVICES = 12;
const ALERTS = 2_345;

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is what is tested.
type Body = Record<string, any>;

describe('the query API', () => {
  let database: TestDatabase;
  let admin: Store;
  let store: Store;
  let server: HttpServer;
  let metrics: Metrics;
  const [mine, theirs] = [newId('org'), newId('org')];
  const services = Array.from({ length: SERVICES }, () => newId('svc'));
  let clock = NOW;

  beforeAll(async () => {
    database = await startDatabase();
    admin = openStore({ url: database.adminUrl });
    store = openStore({ url: database.url });
    await seed();
    const keys = new Map<string, KeyRecord>();
    const add = (text: string, organizationId: string, scopes: KeyRecord['scopes']) =>
      keys.set(keyDigest(text), {
        id: newId('key'),
        organizationId,
        name: text,
        scopes,
        rateLimitPerMinute: null,
        hosts: null,
        expiresAt: null,
        revokedAt: null,
      });
    add('admin', mine, ['admin']);
    add('reader', mine, ['read']);
    add('agent', mine, ['ingest']);
    add('stranger', theirs, ['admin']);
    const logger = createSilentLogger();
    metrics = createMetrics();
    const findKey = async (digest: string) => keys.get(digest) ?? null;
    const { authenticate } = createAuthentication({ findKey, clock: () => clock, logger });
    const config = { retention: DEFAULT_RETENTION };
    const options = { sql: store.sql, authenticate, clock: () => clock, newId, config, metrics, logger };
    const app = createApp({ routers: [createQueryApi(options)], logger, metrics });
    server = await listen({ app, host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    await server.close();
    metrics.close();
    await store.close();
    await admin.close();
    await database.close();
  });

  async function seed() {
    const { sql } = admin;
    await sql`insert into organizations (id, name) values (${mine}, 'mine'), (${theirs}, 'theirs')`;
    for (const [i, id] of services.entries()) {
      const tags = i === 11 ? {} : { region: ['eu', 'us', 'a:b'][i % 3] as string };
      await sql`insert into services (org_id, id, host, tags, status, first_seen, status_since, archived_at)
        values (${mine}, ${id}, ${`Web-${String(i).padStart(2, '0')}`}, ${sql.json(tags)},
          ${i < 3 ? 'critical' : 'healthy'}, ${NOW}, ${NOW}, ${i === 10 ? NOW : null})`;
      await sql`insert into service_live (org_id, service_id, last_seen, cpu_percent)
        values (${mine}, ${id}, ${NOW}, ${10 * (1 + Math.floor(i / 3))})`;
    }
    await sql`
      insert into alerts (org_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context, acknowledged_at)
      select ${mine}, 'alr_' || lpad(to_hex(i), 32, '0'), 'rul_' || lpad(to_hex(i % 7), 32, '0'), 'rule', 1,
        ${services[0] as string}, 'host-' || i % 5, 'host', 'host-' || i % 5,
        case when i % 10 = 0 then 'active' else 'resolved' end, case when i % 10 = 0 then 'firing' else 'resolved' end,
        (array['critical', 'warning', 'info'])[1 + i % 3], 'cpu_percent', 'greater_than', 90, 'x',
        ${NOW}::timestamptz - (i / 2) * interval '1 second', '{"processes": [], "containers": []}',
        case when i % 4 = 0 then now() end
      from generate_series(0, ${ALERTS - 1}) i`;
  }

  async function call(
    method: string,
    path: string,
    options: { key?: string | null; body?: unknown; headers?: object } = {},
  ) {
    const { key = 'admin', body, headers } = options;
    const response = await fetch(server.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { 'X-API-Key': key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Body,
    };
  }
  const get = (path: string, options = {}) => call('GET', path, options);

  async function walk(path: string, noun: string, by: 'offset' | 'cursor', limit: number) {
    const seen: Body[] = [];
    let more = `limit=${limit}`;
    for (;;) {
      const { status, body } = await get(`${path}${path.includes('?') ? '&' : '?'}${more}`);
      expect(status).toBe(200);
      seen.push(...body[noun]);
      const { pagination } = body;
      expect(pagination.total).toBe(
        (await get(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).body.pagination.total,
      );
      if (!pagination.has_more) {
        expect([pagination.next_offset, pagination.next_cursor]).toEqual([null, null]);
        return { seen, total: pagination.total as number };
      }
      more =
        by === 'offset'
          ? `limit=${limit}&offset=${pagination.next_offset}`
          : `limit=${limit}&cursor=${pagination.next_cursor}`;
    }
  }

  describe('services', () => {
    it.each([
      ['', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]],
      ['?status=archived', [10]],
      ['?status=critical', [0, 1, 2]],
      ['?tag=region:eu', [0, 3, 6, 9]],
      ['?tag=region:a:b', [2, 5, 8]],
      ['?tag=region:eu&tag=region:us', []],
      ['?q=wEB-1', [11]],
      ['?q=%25', []],
      ['?q=_eb', []],
      ['?q=%C3%A4', []],
      ['?status=critical&tag=region:us', [1]],
    ])('%s are those that match, by name, by either way of paging', async (query, chosen) => {
      const wanted = chosen.map((i) => services[i]);
      for (const by of ['offset', 'cursor'] as const) {
        for (const limit of [1, 4, 100]) {
          const { seen, total } = await walk(`/api/v1/services${query}`, 'services', by, limit);
          expect([seen.map(({ id }) => id), total]).toEqual([wanted, wanted.length]);
        }
      }
    });

    it('a list item is spelled as documented', async () => {
      const { body } = await get('/api/v1/services?limit=1');
      const time = new Date(NOW).toISOString();
      expect(body.services).toEqual([
        {
          id: services[0],
          name: 'Web-00',
          status: 'critical',
          status_reasons: [],
          status_since: time,
          last_seen: time,
          metrics: { cpu_percent: 10, memory_percent: null, disk_percent: null },
          tags: { region: 'eu' },
          active_alerts: { critical: 0, warning: 0, info: 0 },
        },
      ]);
    });

    it('groups carry counts, the worst status and means, those without the tag last', async () => {
      const { seen } = await walk('/api/v1/services?group_by=region', 'groups', 'cursor', 1);
      expect(
        seen.map((g) => [
          g.value,
          g.services,
          g.status,
          g.statuses.critical,
          g.statuses.healthy,
          g.metrics.cpu_percent,
        ]),
      ).toEqual([
        ['a:b', 3, 'critical', 1, 2, 20],
        ['eu', 4, 'critical', 1, 3, 25],
        ['us', 3, 'critical', 1, 2, 20],
        [null, 1, 'healthy', 0, 1, 40],
      ]);
      expect((await walk('/api/v1/services?group_by=region', 'groups', 'offset', 3)).seen).toEqual(seen);
    });

    it('the detail has everything, and a deleted service is gone from every answer', async () => {
      const id = newId('svc');
      await admin.sql`insert into services (org_id, id, host, first_seen, status_since) values (${mine}, ${id}, 'gone', ${NOW}, ${NOW})`;
      const { body } = await get(`/api/v1/services/${id}`);
      expect(body).toMatchObject({
        host: 'gone',
        metrics: {},
        containers: [],
        processes: { time: null, list: [] },
        alerts: [],
      });
      expect((await call('DELETE', `/api/v1/services/${id}`, { key: 'reader' })).body.code).toBe(
        'scope_missing',
      );
      expect((await call('DELETE', `/api/v1/services/${id}`)).status).toBe(204);
      expect((await call('DELETE', `/api/v1/services/${id}`)).status).toBe(404);
      expect((await get(`/api/v1/services/${id}`)).status).toBe(404);
      expect((await get(`/api/v1/services/${id}/metrics`)).status).toBe(404);
      expect((await get('/api/v1/services?q=gone')).body.pagination.total).toBe(0);
      const [event] = await admin.sql`select event from outbox order by id desc limit 1`;
      expect(event?.event).toMatchObject({
        type: 'service.deleted',
        subject: id,
        data: { service: { name: 'gone' } },
      });
    });

    it('a service whose live values are not flushed yet shows what it just reported', async () => {
      const { sql } = admin;
      const id = newId('svc');
      const day = Math.floor(Date.now() / 86_400_000) * 86_400_000;
      await sql`select ensure_partition('samples', ${day - 86_400_000}, ${day}), ensure_partition('samples', ${day}, ${day + 86_400_000})`;
      await sql`insert into services (org_id, id, host, first_seen, status_since)
        values (${mine}, ${id}, 'newcomer', ${NOW}, ${NOW})`;
      const [block] = await sql`insert into blocks (org_id, service_id, subject_kind, subject_name, ordinal)
        values (${mine}, ${id}, 'host', 'newcomer', 0) returning id`;
      await sql`insert into metric_slots (org_id, block_id, slot, metric)
        values (${mine}, ${block?.id}, 0, 'load'), (${mine}, ${block?.id}, 2, 'cpu_percent')`;
      await sql`insert into samples ("time", block_id, v0, v2)
        values (now() - interval '2 s', ${block?.id}, 1, 41), (now() - interval '1 s', ${block?.id}, 2, 42), (now(), ${block?.id}, 3, null)`;
      const { body } = await get('/api/v1/services?q=newcomer');
      const expected = { cpu_percent: 42, memory_percent: null, disk_percent: null };
      expect(body.services).toMatchObject([
        { id, last_seen: new Date(NOW).toISOString(), metrics: expected },
      ]);
      expect((await call('DELETE', `/api/v1/services/${id}`)).status).toBe(204);
    });

    it('the detail shows the active alerts', async () => {
      const { body } = await get(`/api/v1/services/${services[0]}`);
      expect(body.alerts.length).toBe(Math.ceil(ALERTS / 10));
    });
  });

  describe('metrics', () => {
    const path = `/api/v1/services/${services[0]}/metrics`;

    it('an hour of everything by default', async () => {
      const { body } = await get(path);
      expect(body).toMatchObject({
        subject: { kind: 'host', name: 'Web-00' },
        step_seconds: 60,
        tier: '1m',
        series: [],
      });
      expect([body.from, body.to]).toEqual([
        new Date(NOW - 3_600_000).toISOString(),
        new Date(NOW).toISOString(),
      ]);
    });

    it.each([
      ['step=0', '/step'],
      ['step=fast', '/step'],
      ['step=1&from=2026-01-01T00:00:00Z', '/step'],
      ['from=yesterday', '/from'],
      ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/to'],
      ['subject=disk', '/subject'],
    ])('%s is 422 at %s', async (query, fault) => {
      const { status, body } = await get(`${path}?${query}`);
      expect([status, body.errors[0].in, body.errors[0].path]).toEqual([422, 'query', fault]);
    });
  });

  describe('alerts', () => {
    const all = Array.from({ length: ALERTS }, (_, i) => ({
      id: `alr_${i.toString(16).padStart(32, '0')}`,
      i,
      second: Math.floor(i / 2),
    }));
    all.sort((a, b) => a.second - b.second || (a.id < b.id ? 1 : -1));
    const instant = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();
    it.each<[string, (i: number) => boolean]>([
      ['', (i) => i % 10 === 0],
      ['?status=all', () => true],
      ['?status=resolved', (i) => i % 10 !== 0],
      ['?status=all&severity=warning', (i) => i % 3 === 1],
      ['?status=resolved&severity=info&acknowledged=true', (i) => i % 10 !== 0 && i % 3 === 2 && i % 4 === 0],
      ['?status=all&acknowledged=false', (i) => i % 4 !== 0],
      [`?status=all&rule_id=rul_${'3'.padStart(32, '0')}`, (i) => i % 7 === 3],
      ['?status=all&host=host-2', (i) => i % 5 === 2],
      [`?status=active&service_id=${services[0]}`, (i) => i % 10 === 0],
      [
        `?status=all&from=${instant(100)}&to=${instant(50)}`,
        (i) => Math.floor(i / 2) <= 100 && Math.floor(i / 2) > 50,
      ],
      ['?status=all&host=nobody', () => false],
    ])('%s are those that match, newest first, by either way of paging', async (query, matches) => {
      const wanted = all.filter(({ i }) => matches(i)).map(({ id }) => id);
      for (const by of ['offset', 'cursor'] as const) {
        const { seen, total } = await walk(`/api/v1/alerts${query}`, 'alerts', by, 100);
        expect(total).toBe(wanted.length);
        expect(seen.map(({ id }) => id)).toEqual(wanted);
      }
    });

    it.each([2_300, 2_344, 2_345, 2_200, 1_100, 9_007_199_254_740_991])(
      'offset %d is reached from the nearer end',
      async (offset) => {
        const { body } = await get(`/api/v1/alerts?status=all&limit=50&offset=${offset}`);
        expect(body.alerts.map(({ id }: Body) => id)).toEqual(
          all.slice(offset, offset + 50).map(({ id }) => id),
        );
        expect(body.pagination.has_more).toBe(offset + 50 < ALERTS);
      },
    );

    it('a cursor of another list, of other filters, or with an offset is 422', async () => {
      const { next_cursor: cursor } = (await get('/api/v1/alerts?status=all&limit=1')).body.pagination;
      for (const path of [
        `alerts?cursor=${cursor}`,
        `alerts?status=all&offset=1&cursor=${cursor}`,
        `services?cursor=${cursor}`,
        'alerts?cursor=nonsense',
      ]) {
        const { status, body } = await get(`/api/v1/${path}`);
        expect([status, body.errors[0].path]).toEqual([422, '/cursor']);
      }
    });

    it('one alert, and 404 to another organization', async () => {
      const { id } = all[0] as { id: string };
      expect((await get(`/api/v1/alerts/${id}`)).body).toMatchObject({
        id,
        notifications: [],
        comments: [],
        subject: { kind: 'host' },
      });
      expect((await get(`/api/v1/alerts/${id}`, { key: 'stranger' })).status).toBe(404);
      expect((await get('/api/v1/alerts?status=all', { key: 'stranger' })).body.pagination.total).toBe(0);
    });
  });

  describe('rules', () => {
    const rule = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    const RULES = '/api/v1/alerts/rules';
    const revision = async () =>
      (await admin.sql`select revision from revisions where name = 'rules'`)[0]?.revision as number;

    it('are created, read, edited and deleted, each write telling the evaluator and the outbox', async () => {
      const before = await revision();
      const created = await call('POST', RULES, { body: { ...rule, channels: ['slack'] } });
      expect([created.status, created.headers.get('location')]).toEqual([201, `${RULES}/${created.body.id}`]);
      expect(created.body).toMatchObject({
        ...rule,
        duration_minutes: 5,
        severity: 'warning',
        version: 1,
        state: 'inactive',
        firing_count: 0,
      });
      expect(created.body.warnings).toMatchObject([{ code: 'channel_not_configured' }]);
      clock += 1_000;
      const path = `${RULES}/${created.body.id}`;
      const edited = await call('PATCH', path, { body: { threshold: 80, description: 'why' } });
      expect(edited.body).toMatchObject({ threshold: 80, version: 2, created_at: created.body.created_at });
      const read = await get(path);
      expect(read.body).toEqual({ ...edited.body, pending: [] });
      expect((await call('PATCH', path, { body: { threshold: 80 } })).body.version).toBe(2);
      expect((await call('PATCH', path, { body: { description: null } })).body).toMatchObject({
        description: null,
        version: 3,
      });
      expect((await call('DELETE', path)).status).toBe(204);
      expect((await call('DELETE', path)).status).toBe(404);
      expect((await get(path)).status).toBe(404);
      expect(await revision()).toBe(before + 4);
      const events =
        await admin.sql`select event ->> 'type' as type from outbox where event ->> 'subject' = ${created.body.id} order by id`;
      expect(events.map(({ type }) => type)).toEqual([
        'rule.created',
        'rule.updated',
        'rule.updated',
        'rule.deleted',
      ]);
    });

    it('tags tell whether a rule changed', async () => {
      const { body, headers } = await call('POST', RULES, { body: rule });
      const path = `${RULES}/${body.id}`;
      const old = headers.get('etag') as string;
      const { headers: now } = await get(path);
      const tag = now.get('etag') as string;
      expect((await get(path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
      expect(
        (await call('PATCH', path, { body: { threshold: 1 }, headers: { 'If-Match': old } })).status,
      ).toBe(200);
      expect((await get(path, { headers: { 'If-None-Match': tag } })).status).toBe(200);
      for (const [method, more] of [
        ['PATCH', { body: { threshold: 2 } }],
        ['DELETE', {}],
      ] as const)
        expect((await call(method, path, { ...more, headers: { 'If-Match': old } })).body.code).toBe(
          'precondition_failed',
        );
      expect((await call('DELETE', path, { headers: { 'If-Match': '*' } })).status).toBe(204);
    });

    it('show what is pending under them', async () => {
      const { body } = await call('POST', RULES, { body: rule });
      await admin.sql`insert into rule_states (org_id, rule_id, service_id, subject_kind, subject_name, state, pending_since, judged_at, value, peak_value)
        values (${mine}, ${body.id}, ${services[3] as string}, 'host', 'Web-03', 'pending', ${NOW}, ${NOW}, 95, 95)`;
      await admin.sql`insert into rule_activity (org_id, rule_id, last_evaluated_at, pending_count) values (${mine}, ${body.id}, ${NOW}, 1)`;
      const read = (await get(`${RULES}/${body.id}`)).body;
      const at = new Date(NOW).toISOString();
      expect(read).toMatchObject({ state: 'pending', last_evaluated_at: at });
      expect(read.pending).toEqual([
        {
          service_id: services[3],
          host: 'Web-03',
          subject: { kind: 'host', name: 'Web-03' },
          pending_since: at,
          value: 95,
        },
      ]);
    });

    it('are listed by creation, oldest first', async () => {
      for (let i = 0; i < 5; i++) {
        clock += i % 2;
        await call('POST', RULES, { body: { ...rule, name: `rule ${i}` } });
      }
      const { seen } = await walk(RULES, 'rules', 'cursor', 2);
      expect((await walk(RULES, 'rules', 'offset', 3)).seen.map(({ id }) => id)).toEqual(
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
      [{ ...rule, metric: 'container.cpu_percent' }, '/metric'],
      ['{"name":"a","metric":"m","condition":"greater_than","threshold":1e400}', '/threshold'],
    ])('a body that is no rule is 422, case %#', async (body, path) => {
      const answer = await call('POST', RULES, { body });
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, path]);
    });

    it('a bad edit changes nothing', async () => {
      const { body } = await call('POST', RULES, { body: rule });
      for (const [change, path] of [
        [{ id: 'x' }, '/id'],
        [{ version: 9 }, '/version'],
        [{ metric: null }, '/metric'],
        [{ condition: 'between' }, '/threshold_max'],
      ] as const) {
        const answer = await call('PATCH', `${RULES}/${body.id}`, {
          body: { ...change, description: 'never' },
        });
        expect([answer.status, answer.body.errors.map((fault: Body) => fault.path)]).toEqual([422, [path]]);
      }
      expect((await get(`${RULES}/${body.id}`)).body).toMatchObject({ version: 1, description: null });
    });

    it('other media types, encodings and sizes are refused', async () => {
      const refused = async (headers: object, body: string) =>
        (await call('POST', RULES, { headers, body })).body.code;
      expect(await refused({ 'Content-Type': 'text/plain' }, '{}')).toBe('unsupported_media_type');
      expect(await refused({ 'Content-Encoding': 'lzma' }, '{}')).toBe('unsupported_content_encoding');
      expect(await refused({ 'Content-Encoding': 'gzip' }, '{}')).toBe('validation_failed');
      expect(await refused({}, ' '.repeat(300_000))).toBe('payload_too_large');
    });
  });

  it.each(['services', 'alerts', 'alerts/rules'])('an id that is nobody’s is 404 under %s', async (list) => {
    const prefix = { services: 'svc', alerts: 'alr', 'alerts/rules': 'rul' }[list] as string;
    for (const id of [
      `${prefix}_${'f'.repeat(32)}`,
      'x',
      `${prefix}_%00`,
      '..%2f..%2fetc',
      '%zz',
      '%F0',
      '%27%20or%201=1',
    ])
      expect((await get(`/api/v1/${list}/${id}`)).body).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    ['services?limit=0', '/limit'],
    ['services?limit=101', '/limit'],
    ['alerts?limit=x', '/limit'],
    ['alerts/rules?offset=-1', '/offset'],
    ['services?status=broken', '/status'],
    ['services?tag=none', '/tag'],
    ['alerts?status=firing', '/status'],
    ['alerts?severity=fatal', '/severity'],
    ['alerts?acknowledged=maybe', '/acknowledged'],
    ['alerts?from=soon', '/from'],
    ['services?q=%00', '/q'],
  ])('%s is 422 at %s', async (path, fault) => {
    const { status, body } = await get(`/api/v1/${path}`);
    expect([status, body.errors[0]]).toMatchObject([422, { in: 'query', path: fault }]);
  });

  it('keys are asked for first', async () => {
    expect((await get('/api/v1/services', { key: null })).body.code).toBe('key_missing');
    expect((await get('/api/v1/services', { key: 'wrong' })).body.code).toBe('key_invalid');
    expect((await get('/api/v1/services', { key: 'agent' })).body.code).toBe('scope_missing');
    expect((await call('PATCH', '/api/v1/alerts/rules/rul_x', { key: 'reader', body: {} })).body.code).toBe(
      'scope_missing',
    );
  });

  it('another method is 405 with those that exist', async () => {
    const { status, headers } = await call('PUT', '/api/v1/alerts/rules');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('documentation needs no key and nothing from elsewhere', async () => {
    const open = (path: string) => get(path, { key: null });
    expect((await open('/')).headers.get('location')).toBe('/docs');
    const docs = await open('/docs');
    expect(docs.text).not.toMatch(/https?:/);
    expect(docs.headers.get('content-security-policy')).toContain("script-src 'self';");
    for (const [, path] of docs.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await open(path as string)).status).toBe(200);
    expect((await open('/docs/..%2fpackage.json')).status).toBe(404);
    expect((await open('/openapi.json')).body.openapi).toMatch(/^3\.1/);
    const page = await open('/problems/not_found');
    expect([page.headers.get('content-type'), page.text.includes('<h1>Not found</h1>')]).toEqual([
      'text/html; charset=utf-8',
      true,
    ]);
    expect((await open('/problems/constructor')).status).toBe(404);
  });
});
