import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const ALERTS = 2_345;
const SERVICE = newId('svc');

const api = await openForFile(openApi());

describe('alerts', () => {
  beforeAll(async () => {
    await api.service(SERVICE, 'web-00');
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context, acknowledged_at)
      select ${api.organizationId}, 'alr_' || lpad(to_hex(i), 32, '0'), 'rul_' || lpad(to_hex(i % 7), 32, '0'), 'rule', 1,
        ${SERVICE}, 'host-' || i % 5, 'host', 'host-' || i % 5,
        case when i % 10 = 0 then 'active' else 'resolved' end, case when i % 10 = 0 then 'firing' else 'resolved' end,
        (array['critical', 'warning', 'info'])[1 + i % 3], 'cpu_percent', 'greater_than', 90, 'x',
        ${NOW}::timestamptz - (i / 2) * interval '1 second', '{"processes": [], "containers": []}',
        case when i % 4 = 0 then now() end
      from generate_series(0, ${ALERTS - 1}) i`;
  });

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
    [`?status=active&service_id=${SERVICE}`, (i) => i % 10 === 0],
    [
      `?status=all&from=${instant(100)}&to=${instant(50)}`,
      (i) => Math.floor(i / 2) <= 100 && Math.floor(i / 2) > 50,
    ],
    ['?status=all&host=nobody', () => false],
  ])('%s are those that match, newest first, by either way of paging', async (query, matches) => {
    const wanted = all.filter(({ i }) => matches(i)).map(({ id }) => id);
    for (const by of ['offset', 'cursor'] as const) {
      const { seen, total } = await api.walk(`/api/v1/alerts${query}`, 'alerts', by, 100);
      expect(total).toBe(wanted.length);
      expect(seen.map(({ id }) => id)).toEqual(wanted);
    }
  });

  it('are ordered by severity, the worst first with `-`, by either way of paging and as of a time', async () => {
    const rank = (i: number) => 3 - (i % 3);
    const active = all.filter(({ i }) => i % 10 === 0);
    const worstFirst = active
      .toSorted((a, b) => rank(b.i) - rank(a.i) || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    for (const by of ['offset', 'cursor'] as const) {
      const { seen } = await api.walk('/api/v1/alerts?sort=-severity', 'alerts', by, 50);
      expect(seen.map(({ id }) => id)).toEqual(worstFirst);
      const mildest = await api.walk('/api/v1/alerts?sort=severity', 'alerts', by, 50);
      expect(mildest.seen.map(({ id }) => id)).toEqual(worstFirst.toReversed());
    }
    const csv = await api.get('/api/v1/alerts?sort=-severity&format=csv&fields=id');
    expect(csv.text.trim().split(/\r?\n/).slice(1)).toEqual(worstFirst);
    await api.sql`update alerts set severity = 'critical' where id = ${worstFirst.at(-1) as string}`;
    // Alerts were created by the clock of the database, which `as_of` is compared with.
    const now = api.clock.now;
    api.clock.now = Date.now() + 1_000;
    const first = await api.get('/api/v1/alerts?sort=-severity&limit=100');
    const asOf = new Date(Date.now()).toISOString();
    const then = await api.get(`/api/v1/alerts?sort=-severity&limit=100&as_of=${asOf}`);
    expect(then.body.alerts.map(({ id }: Body) => id)).toEqual(first.body.alerts.map(({ id }: Body) => id));
    await api.sql`update alerts set severity = ${'info'} where id = ${worstFirst.at(-1) as string}`;
    api.clock.now = now;
  });

  it.each([2_300, 2_344, 2_345, 2_200, 1_100, 9_007_199_254_740_991])(
    'at offset %d are read from the nearer end of the list',
    async (offset) => {
      const { body } = await api.get(`/api/v1/alerts?status=all&limit=50&offset=${offset}`);
      expect(body.alerts.map(({ id }: Body) => id)).toEqual(
        all.slice(offset, offset + 50).map(({ id }) => id),
      );
      expect(body.pagination.has_more).toBe(offset + 50 < ALERTS);
    },
  );

  it('are listed up to the latest time that a filter may have', async () => {
    const { status } = await api.get(
      '/api/v1/alerts?status=all&from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59Z',
    );
    expect(status).toBe(200);
  });

  it('a cursor of another list, of other filters, or with an offset is 422', async () => {
    const { next_cursor: cursor } = (await api.get('/api/v1/alerts?status=all&limit=1')).body.pagination;
    for (const path of [
      `alerts?cursor=${cursor}`,
      `alerts?status=all&offset=1&cursor=${cursor}`,
      `services?cursor=${cursor}`,
      'alerts?cursor=nonsense',
    ]) {
      const { status, body } = await api.get(`/api/v1/${path}`);
      expect([status, body.errors[0].path]).toEqual([422, '/cursor']);
    }
  });

  it('GET /alerts/:id answers one alert, and 404 to another organization', async () => {
    const { id } = all[0] as { id: string };
    expect((await api.get(`/api/v1/alerts/${id}`)).body).toMatchObject({
      id,
      notifications: [],
      comments: [],
      subject: { kind: 'host' },
    });
    expect((await api.get(`/api/v1/alerts/${id}`, { key: 'stranger' })).status).toBe(404);
    expect((await api.get('/api/v1/alerts?status=all', { key: 'stranger' })).body.pagination.total).toBe(0);
  });

  it('the detail of a service lists its active alerts', async () => {
    const { body } = await api.get(`/api/v1/services/${SERVICE}`);
    expect(body.alerts.length).toBe(Math.ceil(ALERTS / 10));
  });
});
