import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApiOfRows } from '../testing/query-api.harness.ts';

const START = Math.floor(NOW / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
const METRIC = 'filesystem.used_percent';

interface StoredPart {
  kind: string;
  name: string;
  type?: string;
  /** The values of `used_percent` at START and at START + 1 minute. */
  values: readonly (number | null)[];
}

const HOSTS: { host: string; region?: string; own?: number; parts: StoredPart[] }[] = [
  {
    host: 'web-1',
    region: 'eu',
    parts: [
      { kind: 'disk', name: 'sda', values: [1, 1] },
      { kind: 'filesystem', name: '/', type: 'ext4', values: [10, 30] },
      { kind: 'filesystem', name: '/var', type: 'xfs', values: [20, 40] },
    ],
  },
  {
    host: 'web-2',
    region: 'us',
    parts: [{ kind: 'filesystem', name: '/', type: 'xfs', values: [50, null] }],
  },
  { host: 'db-1', own: 99, parts: [] },
];

const api = await openForFile(openApiOfRows());

async function insertHost({ host, region, own, parts }: (typeof HOSTS)[number]): Promise<void> {
  const id = newId('svc');
  await api.service(id, host, region === undefined ? {} : { region });
  const stored: { id: number; values: readonly (number | null)[] }[] = [];
  for (const { kind, name, type, values } of parts) {
    const [row] = await api.sql<{ id: number }[]>`
      insert into parts (organization_id, service_id, kind, name, labels, host)
      values (${api.organizationId}, ${id}, ${kind}, ${name}, ${api.sql.json(type === undefined ? {} : { type })}, ${host}) returning id`;
    stored.push({ id: row?.id ?? 0, values });
  }
  const [subject, metrics] =
    own === undefined ? (['part', parts.map(() => 'used_percent')] as const) : (['host', [METRIC]] as const);
  const [block] = await api.sql<{ id: number }[]>`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
    values (${api.organizationId}, ${id}, ${subject}, ${own === undefined ? '' : host}, 0, ${metrics}, ${stored.map((part) => part.id)}::integer[])
    returning id`;
  for (const minute of [0, 1]) {
    const values = own === undefined ? stored.map((part) => part.values[minute] ?? null) : [own];
    const row = Object.fromEntries(values.map((value, slot) => [`v${slot}`, value]));
    const time = new Date(START + minute * MINUTE_MS).toISOString();
    await api.sql`insert into samples ${api.sql({ time, block_id: block?.id ?? 0, ...row })}`;
  }
}

const range = {
  metric: METRIC,
  from: new Date(START).toISOString(),
  to: new Date(START + 5 * MINUTE_MS).toISOString(),
  step: 60,
};
const ask = (body: object) => api.call('POST', '/api/v1/query', { body: { ...range, ...body } });

describe('a query over parts of many hosts', () => {
  beforeAll(async () => {
    const day = Math.floor(NOW / DAY_MS) * DAY_MS;
    await api.sql`select ensure_partition('samples', ${day}, ${day + DAY_MS})`;
    for (const host of HOSTS) await insertHost(host);
  });

  const seriesOf = async (body: object) => {
    const answer = await ask(body);
    expect(answer.status).toBe(200);
    return (answer.body['series'] as { group: string | null; points: { value: number }[] }[]).map(
      ({ group, points }) => [group, points.map(({ value }) => value)],
    );
  };

  it('aggregates the parts of the kind, and a metric of hosts that has this very name', async () => {
    const { body } = await ask({ aggregate: 'sum' });
    expect([body['services'], body['parts'], body['unit']]).toEqual([3, 3, 'percent']);
    expect(await seriesOf({ aggregate: 'sum' })).toEqual([[null, [179, 169]]]);
    expect(await seriesOf({ aggregate: 'count', metric: 'disk.used_percent' })).toEqual([[null, [1, 1]]]);
    expect(await seriesOf({ metric: 'used_percent' })).toEqual([]);
  });

  it.each<[string, object, unknown]>([
    [
      'by part',
      { by: 'part' },
      [
        ['filesystem:/', [30, 30]],
        ['filesystem:/var', [20, 40]],
        [null, [99, 99]],
      ],
    ],
    [
      'by host',
      { by: 'host', aggregate: 'max' },
      [
        ['db-1', [99, 99]],
        ['web-1', [20, 40]],
        ['web-2', [50]],
      ],
    ],
    [
      'by kind',
      { by: 'kind', aggregate: 'min' },
      [
        ['filesystem', [10, 30]],
        ['host', [99, 99]],
      ],
    ],
    [
      'by a tag',
      { group_by: 'region' },
      [
        ['eu', [15, 35]],
        ['us', [50]],
        [null, [99, 99]],
      ],
    ],
    [
      'the fullest ones',
      { top: 3, aggregate: 'p95' },
      [
        ['db-1', [99, 99]],
        ['web-2 filesystem:/', [50]],
        ['web-1 filesystem:/var', [20, 40]],
      ],
    ],
  ])('%s', async (_name, body, wanted) => {
    expect(await seriesOf(body)).toEqual(wanted);
  });

  it.each<[object, (string | null)[]]>([
    [{ hosts: ['web-*'] }, ['web-1 filesystem:/', 'web-1 filesystem:/var', 'web-2 filesystem:/']],
    [{ tags: { region: 'u*' } }, ['web-2 filesystem:/']],
    [{ part: '/v*' }, ['web-1 filesystem:/var']],
    [{ part: ['/', '/srv'] }, ['web-1 filesystem:/', 'web-2 filesystem:/']],
    [{ part_labels: { type: 'xfs' } }, ['web-1 filesystem:/var', 'web-2 filesystem:/']],
    [{ part: '/', part_labels: { type: ['xfs', 'zfs'] } }, ['web-2 filesystem:/']],
    [{ part: [], hosts: ['db-1'] }, ['db-1']],
    [{ part: '/nowhere' }, []],
  ])('the selector %j chooses hosts and parts', async (selector, wanted) => {
    expect((await seriesOf({ selector, by: 'subject' })).map(([group]) => group)).toEqual(wanted);
  });

  it('a group of one part of one host names both', async () => {
    const { body } = await ask({ by: 'subject', selector: { part: '/var' } });
    expect(body['series']).toMatchObject([
      { group: 'web-1 filesystem:/var', host: 'web-1', part: 'filesystem:/var' },
    ]);
    const byPart = await ask({ by: 'part', selector: { part: '/var' } });
    expect(byPart.body['series']).toMatchObject([
      { group: 'filesystem:/var', host: null, part: 'filesystem:/var' },
    ]);
  });

  it('the mean of each part agrees with its own series', async () => {
    const web = (await api.get('/api/v1/services?q=web-1')).body['services'][0].id;
    const { body } = await api.get(
      `/api/v1/services/${web}/metrics?subject=filesystem:/var&from=${range.from}&to=${range.to}&step=60`,
    );
    const own = body['series'][0].points.map(({ avg }: { avg: number }) => avg);
    expect(await seriesOf({ by: 'subject', selector: { part: '/var' } })).toEqual([
      ['web-1 filesystem:/var', own],
    ]);
  });
});
