import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Body, NOW, openApiOfRows } from '../testing/query-api.harness.ts';

const ALERTS = 3_000;
const SERVICE = newId('svc');

const api = await openForFile(openApiOfRows());

describe('exports', () => {
  beforeAll(async () => {
    await api.service(SERVICE, '=cmd()', { region: 'eu' });
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context)
      select ${api.organizationId}, 'alr_' || lpad(to_hex(i), 32, '0'), ${newId('rul')}, '=cmd()', 1, ${SERVICE}, 'h', 'host',
        'h', case when i % 3 = 0 then 'resolved' else 'active' end, 'firing', 'info', 'cpu_percent', 'greater_than', -90, ${'x'.repeat(2_000)},
        ${NOW}::timestamptz - i * interval '1 second', '{"processes": [], "containers": []}'
      from generate_series(0, ${ALERTS - 1}) i`;
    const day = Math.floor(NOW / 86_400_000) * 86_400_000;
    await api.sql`select ensure_partition('samples', ${day}, ${day + 86_400_000})`;
    const [block] = await api.sql<{ id: number }[]>`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      values (${api.organizationId}, ${SERVICE}, 'host', '=cmd()', 0, array['load_ms', 'other']) returning id`;
    await api.sql`insert into samples ("time", block_id, v0, v1)
      select ${NOW}::timestamptz - i * interval '1 minute', ${block?.id ?? 0}, i, -i from generate_series(1, 30) i`;
  });

  const lines = (text: string) => text.trimEnd().split(/\r?\n/);

  it('contain every alert once, in order, by format or by Accept', async () => {
    const { seen } = await api.walk('/api/v1/alerts?status=all', 'alerts', 'cursor', 100);
    const ndjson = await api.get('/api/v1/alerts?status=all&format=ndjson');
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(ndjson.headers.get('vary')).toContain('Accept');
    expect(lines(ndjson.text).map((line) => JSON.parse(line))).toEqual(seen);
    const csv = await api.get('/api/v1/alerts?status=all&fields=id,rule_name,threshold,subject', {
      headers: { Accept: 'text/csv' },
    });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = lines(csv.text);
    expect(header).toBe('id,rule_name,threshold,subject.kind,subject.name');
    expect(rows).toEqual(seen.map(({ id }) => `${id},'=cmd(),-90,host,h`));
  });

  it('are written and compressed without a warning of Node', async () => {
    const warned: Error[] = [];
    const note = (warning: Error) => void warned.push(warning);
    process.on('warning', note);
    await api.get('/api/v1/alerts?status=all&format=ndjson', { headers: { 'Accept-Encoding': 'gzip' } });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warned).toEqual([]);
  });

  it('contain what the filters select, in the requested order', async () => {
    const query = '/api/v1/alerts?status=resolved&sort=fired_at&fields=id';
    const { seen } = await api.walk(query, 'alerts', 'cursor', 100);
    const { text } = await api.get(`${query}&format=ndjson`);
    expect(lines(text).map((line) => JSON.parse(line))).toEqual(seen);
    expect((await api.get('/api/v1/alerts?format=ndjson', { key: 'stranger' })).text).toBe('');
    expect(lines((await api.get('/api/v1/alerts?format=csv', { key: 'stranger' })).text)).toHaveLength(1);
  });

  it('exist for services and series', async () => {
    const services = await api.get('/api/v1/services?format=csv&fields=name,tags,status');
    expect(services.text).toBe(`name,tags,status\r\n'=cmd(),"{""region"":""eu""}",healthy\r\n`);
    const range = `from=${new Date(NOW - 10 * MINUTE_MS).toISOString()}&to=${new Date(NOW).toISOString()}&step=600`;
    const path = `/api/v1/services/${SERVICE}/metrics?${range}`;
    const { body } = await api.get(path);
    const wanted = (body['series'] as Body[]).flatMap(({ metric, unit, points }) =>
      points.map((point: Body) => ({ host: '=cmd()', subject: 'host', metric, unit, ...point })),
    );
    const rows = lines((await api.get(`${path}&format=ndjson`)).text).map((line) => JSON.parse(line));
    expect(rows).toEqual(wanted);
    expect(rows.map(({ metric }) => metric)).toContain('load_ms');
    const csv = lines((await api.get(`${path}&metrics=load_ms`, { headers: { Accept: 'text/csv' } })).text);
    expect(csv[0]).toBe('host,subject,metric,unit,t,avg,min,max,count');
    expect(csv[1]).toMatch(/^'=cmd\(\),host,load_ms,milliseconds,2026-11-21T14:/);
  });

  it('are always complete: parameters of paging are refused', async () => {
    for (const name of ['limit=1', 'offset=0', `cursor=x`, `as_of=${new Date(NOW).toISOString()}`]) {
      const { status, body } = await api.get(`/api/v1/alerts?format=csv&${name}`);
      expect([status, body['errors'][0].path]).toEqual([422, `/${name.split('=')[0]}`]);
    }
    expect((await api.get('/api/v1/alerts?format=xml')).status).toBe(422);
    expect((await api.get('/api/v1/services?group_by=region&format=csv')).status).toBe(422);
  });

  it('follow the pace of their clients, few at once, and end in the database when a client disconnects', async () => {
    const url = `${api.url}/api/v1/alerts?status=all&format=ndjson`;
    const open = async () => {
      const request = httpGet(url, { headers: { 'X-API-Key': 'admin' } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.pause();
      return { request, response };
    };
    const readers = [await open(), await open()];
    const cursors = async () => {
      const [row] = await api.sql<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction' and query like 'fetch forward%'`;
      return row?.count;
    };
    // Six megabytes do not fit into the buffers between server and client, so the statements wait for the clients.
    await vi.waitFor(async () => expect(await cursors()).toBe(2), { timeout: 45_000 });
    const csv = '/api/v1/alerts?format=csv';
    const waiting = Array.from({ length: 4 }, () => api.get(csv));
    await vi.waitFor(async () => {
      const held = await api.metrics.registry.getSingleMetricAsString('tidewatch_share_waiting');
      expect(held).toContain('{resource="exports"} 4');
    });
    const refused = await api.get(csv);
    expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
      ...[429, 'export_running', '5'],
    ]);
    expect((await api.get(csv, { key: 'stranger' })).status).toBe(200);
    for (const { request } of readers) request.destroy();
    for (const each of await Promise.all(waiting)) expect(each.status).toBe(200);
    await vi.waitFor(async () => expect(await cursors()).toBe(0), { timeout: 45_000 });
    await vi.waitFor(
      async () => expect((await api.get('/api/v1/alerts?format=csv&fields=id')).status).toBe(200),
      { timeout: 45_000 },
    );
  });
});
