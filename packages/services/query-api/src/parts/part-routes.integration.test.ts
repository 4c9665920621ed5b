import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

/** Parts as `host kind:name`, in the order of the list by kind. */
const ALL = [
  'web-1 disk:sda',
  'web-1 filesystem:/',
  'web-2 filesystem:/',
  'web-1 filesystem:/VAR_1',
  'web-2 filesystem:/var*',
  'db-1 unit:nginx.service',
];
const LABELS: Record<string, Record<string, string>> = {
  'web-1 filesystem:/': { type: 'ext4', 'a:b': 'c' },
  'web-2 filesystem:/': { type: 'xfs' },
};
const TAGS: Record<string, Record<string, string>> = { 'web-1': { region: 'eu' }, 'web-2': { region: 'us' } };
/** Latest values of a metric that only some parts have. */
const CELSIUS: Record<string, number> = { 'web-1 filesystem:/': 0.5, 'web-1 filesystem:/VAR_1': -20.25 };
const HIDDEN = ['web-1 filesystem:/gone', 'archived-1 filesystem:/', 'deleted-1 filesystem:/'];

const services = new Map<string, string>();
const api = await openForFile(openApi());

const nameOf = ({ host, kind, name }: Record<string, string>) => `${host} ${kind}:${name}`;

async function insertPart(text: string, index: number): Promise<void> {
  const [host = '', subject = ''] = text.split(' ');
  const [kind = '', name = ''] = subject.split(/:(.*)/);
  const serviceId = services.get(host) ?? newId('svc');
  if (!services.has(host)) await api.service(serviceId, host, TAGS[host]);
  services.set(host, serviceId);
  const [part] = await api.sql<{ id: number }[]>`
    insert into parts (organization_id, service_id, kind, name, labels, host, gone)
    values (${api.organizationId}, ${serviceId}, ${kind}, ${name}, ${api.sql.json(LABELS[text] ?? {})}, ${host}, ${name === '/gone'})
    returning id`;
  const id = part?.id ?? 0;
  const [block] = await api.sql<{ id: number }[]>`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
    values (${api.organizationId}, ${serviceId}, 'part', '', ${index}, array['used_percent', 'free', 'never', 'celsius'], ${[id, id, id, id]})
    returning id`;
  const times = [NOW - index * MINUTE_MS, NOW - (index + 1) * MINUTE_MS].map((at) =>
    new Date(at).toISOString(),
  );
  await api.sql`insert into block_latest (block_id, applied_at, times, vals)
    values (${block?.id ?? 0}, now(), array[${times[0] ?? ''}::timestamptz, ${times[1] ?? ''}::timestamptz, null, ${times[1] ?? ''}::timestamptz], array[${index}::float8, 0.1, null, ${CELSIUS[text] ?? null}])`;
}

describe('the list of parts', () => {
  beforeAll(async () => {
    for (const [index, text] of [...ALL, ...HIDDEN].entries()) await insertPart(text, index);
    await api.sql`update services set archived_at = now() where host = 'archived-1'`;
    await api.sql`update services set deleted_at = now() where host = 'deleted-1'`;
  });

  it.each<[string, number[]]>([
    ['', [0, 1, 2, 3, 4, 5]],
    ['?sort=-kind', [5, 4, 3, 2, 1, 0]],
    ['?sort=host', [5, 0, 1, 3, 2, 4]],
    ['?sort=-host', [4, 2, 3, 1, 0, 5]],
    ['?sort=name', [1, 2, 3, 4, 5, 0]],
    ['?sort=-name', [0, 5, 4, 3, 2, 1]],
    ['?sort=last_seen', [5, 4, 3, 2, 1, 0]],
    ['?sort=-last_seen', [0, 1, 2, 3, 4, 5]],
    ['?sort=last_seen&host=web-2', [4, 2]],
    ['?sort=-last_seen&tag=region:eu', [0, 1, 3]],
    ['?kind=filesystem&sort=-name', [4, 3, 2, 1]],
    ['?kind=filesystem&sort=used_percent', [1, 2, 3, 4]],
    ['?kind=filesystem&sort=-used_percent', [4, 3, 2, 1]],
    ['?kind=filesystem&sort=-used_percent&host=web-1', [3, 1]],
    ['?kind=filesystem&sort=celsius', [3, 1, 2, 4]],
    ['?kind=filesystem&sort=-celsius', [1, 3, 4, 2]],
    ['?kind=filesystem&sort=never', [1, 2, 3, 4]],
    ['?kind=filesystem', [1, 2, 3, 4]],
    ['?kind=file*', []],
    ['?name=/', [1, 2]],
    ['?name=/v*', [4]],
    ['?name=*_1', [3]],
    ['?name=*e', [5]],
    ['?name=/var*&kind=unit', []],
    ['?q=VAR', [3, 4]],
    ['?q=*', [4]],
    ['?host=web-2', [2, 4]],
    ['?host=web-2&sort=-kind', [4, 2]],
    ['?host=web', []],
    ['?tag=region:eu', [0, 1, 3]],
    ['?tag=region:eu&tag=region:us', []],
    ['?label=type:ext4', [1]],
    ['?label=a%5C:b:c&label=type:ext4', [1]],
    ['?label=type:ext4&label=type:xfs', []],
  ])('%s are those that match in order, by either way of paging', async (query, chosen) => {
    const wanted = chosen.map((index) => ALL[index]);
    for (const by of ['offset', 'cursor'] as const)
      for (const limit of [1, 2, 100]) {
        const { seen, total } = await api.walk(`/api/v1/parts${query}`, 'parts', by, limit);
        expect([seen.map((part) => nameOf(part)), total]).toEqual([wanted, wanted.length]);
      }
  });

  it('an entry has the documented form, or the requested fields', async () => {
    const { body, headers } = await api.get('/api/v1/parts?kind=filesystem&limit=1');
    expect(body['parts']).toEqual([
      {
        service_id: services.get('web-1'),
        host: 'web-1',
        kind: 'filesystem',
        name: '/',
        labels: LABELS['web-1 filesystem:/'],
        metrics: { used_percent: 1, free: 0.1, celsius: 0.5 },
        time: new Date(NOW - MINUTE_MS).toISOString(),
      },
    ]);
    const unchanged = { headers: { 'If-None-Match': headers.get('etag') } };
    expect((await api.get('/api/v1/parts?kind=filesystem&limit=1', unchanged)).status).toBe(304);
    const some = await api.get('/api/v1/parts?kind=disk&fields=name,metrics.free');
    expect(some.body['parts']).toEqual([{ name: 'sda', metrics: { free: 0.1 } }]);
  });

  it('an export has every part, as CSV and as NDJSON', async () => {
    const { text } = await api.get('/api/v1/parts?kind=filesystem&sort=-kind&format=ndjson');
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(nameOf)).toEqual([4, 3, 2, 1].map((index) => ALL[index]));
    expect(rows[3].metrics).toEqual({ used_percent: 1, free: 0.1, celsius: 0.5 });
    const hottest = await api.get('/api/v1/parts?kind=filesystem&sort=-celsius&format=csv&fields=host,name');
    expect(hottest.text).toBe('host,name\r\nweb-1,/\r\nweb-1,/VAR_1\r\nweb-2,/var*\r\nweb-2,/\r\n');
    const csv = await api.get('/api/v1/parts?name=sda&fields=host,name,metrics.used_percent', {
      headers: { Accept: 'text/csv' },
    });
    expect(csv.text).toBe('host,name,metrics.used_percent\r\nweb-1,sda,0\r\n');
  });

  it('another organization has none of these parts, and an ingest key gets 403', async () => {
    expect((await api.get('/api/v1/parts', { key: 'stranger' })).body['parts']).toEqual([]);
    expect((await api.get('/api/v1/parts', { key: 'agent' })).status).toBe(403);
  });

  it.each<[string, string]>([
    ['sort=used_percent', '/sort'],
    ['sort=', '/sort'],
    [`kind=disk&sort=-${'m'.repeat(201)}`, '/sort'],
    ['tag=region', '/tag'],
    ['label=:ext4', '/label'],
    [`kind=${'k'.repeat(65)}`, '/kind'],
    ['name=%00', '/name'],
    ['fields=id', '/fields'],
    ['cursor=abc', '/cursor'],
    ['cursor=abc&offset=1', '/cursor'],
  ])('?%s is 422 at %s', async (query, path) => {
    const answer = await api.get(`/api/v1/parts?${query}`);
    expect([answer.status, answer.body['errors'][0].path]).toEqual([422, path]);
  });
});
