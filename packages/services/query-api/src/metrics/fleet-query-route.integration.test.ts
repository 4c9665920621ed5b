import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApiOfRows } from '../testing/query-api.harness.ts';

const START = Math.floor(NOW / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
const AT = new Date(START).toISOString();

/** The values of the metric at START and at START + 1 minute, by host; the third host has the metric in another slot. */
const HOSTS = [
  { host: 'a-1', tags: { region: 'eu' }, values: [10, 100] },
  { host: 'a-2', tags: { region: 'eu' }, values: [20, null] },
  { host: 'b-1', tags: { region: 'us' }, values: [30, 60] },
  { host: 'b-2', tags: {}, values: [1, 2] },
] as const;

const api = await openForFile(openApiOfRows());

describe('a query over many hosts', () => {
  beforeAll(async () => {
    const day = Math.floor(NOW / DAY_MS) * DAY_MS;
    await api.sql`select ensure_partition('samples', ${day}, ${day + DAY_MS})`;
    for (const [index, { host, tags, values }] of HOSTS.entries()) {
      const id = newId('svc');
      await api.sql`insert into services (organization_id, id, host, tags, first_seen, status_since, archived_at)
        values (${api.organizationId}, ${id}, ${host}, ${api.sql.json(tags)}, ${NOW}, ${NOW}, ${index === 3 ? NOW : null})`;
      const slot = index === 2 ? 1 : 0;
      const [block] = await api.sql<{ id: number }[]>`
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
        values (${api.organizationId}, ${id}, 'host', ${host}, 0, ${slot === 1 ? ['other', 'load'] : ['load']})
        returning id`;
      for (const [minute, value] of values.entries()) {
        if (value === null) continue;
        // Two samples of a host in one step, of which the mean counts.
        for (const [seconds, share] of [
          [0, 0.5],
          [30, 1.5],
        ] as const)
          await api.sql`insert into samples ("time", block_id, ${api.sql(`v${slot}`)})
            values (${START + minute * MINUTE_MS + seconds * 1_000}, ${block?.id ?? 0}, ${value * share})`;
      }
    }
  });

  const range = { metric: 'load', from: AT, to: new Date(START + 5 * MINUTE_MS).toISOString(), step: 60 };
  const ask = (body: object, key = 'reader') =>
    api.call('POST', '/api/v1/query', { key, body: { ...range, ...body } });
  const seriesOf = async (body: object) => {
    const answer = await ask(body);
    expect(answer.status).toBe(200);
    return (answer.body['series'] as { group: string | null; points: { value: number }[] }[]).map(
      ({ group, points }) => [group, points.map(({ value }) => value)],
    );
  };

  it.each([
    ['avg', [15.25, 54]],
    ['min', [1, 2]],
    ['max', [30, 100]],
    ['sum', [61, 162]],
    ['count', [4, 3]],
    ['p50', [15, 60]],
    ['p99', [29.7, 99.2]],
  ])('%s over the hosts of each step', async (aggregate, wanted) => {
    const [[group, values] = []] = await seriesOf({ aggregate });
    expect(group).toBeNull();
    expect(values).toHaveLength(wanted.length);
    for (const [index, value] of wanted.entries())
      expect((values as number[] | undefined)?.[index]).toBeCloseTo(value, 10);
  });

  it('the response has the documented form', async () => {
    const { body } = await ask({ selector: { hosts: ['b-1'] }, step: '1m' });
    expect(body).toEqual({
      metric: 'load',
      unit: null,
      aggregate: 'avg',
      from: AT,
      to: range.to,
      step_seconds: 60,
      tier: '1m',
      services: 1,
      parts: 0,
      series: [
        {
          group: null,
          host: null,
          part: null,
          points: [
            { t: AT, value: 30 },
            { t: new Date(START + MINUTE_MS).toISOString(), value: 60 },
          ],
        },
      ],
    });
  });

  it('hosts are chosen by names and tags, and grouped by a tag, those without it last', async () => {
    expect(await seriesOf({ selector: { hosts: ['a-*'] }, aggregate: 'sum' })).toEqual([[null, [30, 100]]]);
    expect(await seriesOf({ selector: { tags: { region: ['u*', 'x'] } } })).toEqual([[null, [30, 60]]]);
    expect(await seriesOf({ selector: { tags: { region: 'nowhere' } } })).toEqual([]);
    expect(await seriesOf({ group_by: 'region', aggregate: 'sum' })).toEqual([
      ['eu', [30, 100]],
      ['us', [30, 60]],
      [null, [1, 2]],
    ]);
  });

  it('the request for the top returns the groups, or the hosts, with the highest mean', async () => {
    expect(await seriesOf({ group_by: 'region', aggregate: 'max', top: 2 })).toEqual([
      ['eu', [20, 100]],
      ['us', [30, 60]],
    ]);
    expect(await seriesOf({ top: 2 })).toEqual([
      ['a-1', [10, 100]],
      ['b-1', [30, 60]],
    ]);
    expect((await seriesOf({ top: 4, aggregate: 'count' })).map(([group]) => group)).toEqual([
      'a-1',
      'a-2',
      'b-1',
      'b-2',
    ]);
  });

  it('another organization gets no data, and an ingest key gets 403', async () => {
    expect((await ask({}, 'stranger')).body['series']).toEqual([]);
    expect((await ask({}, 'agent')).status).toBe(403);
  });

  it.each<[object, string]>([
    [{ metric: undefined }, '/metric'],
    [{ step: 0 }, '/step'],
    [{ step: 'fast' }, '/step'],
    [{ step: 1, from: '2026-01-01T00:00:00Z' }, '/step'],
    [{ from: '2030-01-01T00:00:00Z', to: undefined }, '/from'],
    [{ to: AT }, '/to'],
    [{ aggregate: 'median' }, '/aggregate'],
    [{ top: 0 }, '/top'],
    [{ selector: { host: 'a' } }, '/selector/host'],
    [{ selector: { part: '/var' } }, '/selector/part'],
    [{ selector: { part_labels: { type: 'ext4' } } }, '/selector/part_labels'],
    [{ metric: 'process.cpu_percent', selector: { part: '/var' } }, '/selector/part'],
    [{ by: 'region' }, '/by'],
    [{ by: 'host', group_by: 'region' }, '/by'],
    [{ more: 1 }, '/more'],
  ])('%j is 422 at %s', async (body, path) => {
    const answer = await ask(body);
    expect([answer.status, answer.body['errors'][0].path]).toEqual([422, path]);
  });

  it('a query that would read or return too much is refused with the limits', async () => {
    const many = 300;
    const ids = Array.from({ length: many }, () => newId('svc'));
    await api.sql`insert into services (organization_id, id, host, tags, first_seen, status_since)
      select ${api.organizationId}, id, id, jsonb_build_object('own', id), ${NOW}, ${NOW}
      from unnest(${ids}::text[]) id`;
    await api.sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
      select ${api.organizationId}, id, 'host', id, 0, array['wide'] from unnest(${ids}::text[]) id`;
    const days = (count: number) => new Date(NOW - count * DAY_MS).toISOString();
    const large = await ask({ metric: 'wide', from: days(7), to: days(0), step: '5m' });
    expect([large.status, large.body['errors'][0].code]).toEqual([422, 'too_large']);
    expect(large.body['errors'][0].message).toContain('at most 198 hosts');
    const wide = { metric: 'wide', from: days(30), to: days(0), step: '1h', group_by: 'own' };
    const answered = await ask(wide);
    expect([answered.status, answered.body['errors'][0].path]).toEqual([422, '/top']);
    expect(answered.body['errors'][0].message).toContain('at most 277 groups');
    expect((await ask({ ...wide, top: 277 })).status).toBe(200);
  });
});
