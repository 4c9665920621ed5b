import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const PREVIEW = '/api/v1/silences/preview';
const WINDOWS = '/api/v1/silences/windows';
const api = await openForFile(openApi());
const recurring = await openForFile(openApi());
const at = (ms: number) => new Date(NOW + ms).toISOString();

describe('before a silence is created', () => {
  let rule: string;
  const hosts = ['db-01', 'db-02', 'web-01'].map((host) => ({ host, id: newId('svc') }));

  beforeAll(async () => {
    const body = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    rule = (await api.call('POST', '/api/v1/alerts/rules', { body })).body.id;
    for (const { host, id } of hosts) await api.service(id, host, { role: host.slice(0, 3) });
    await fire('db-01', 'critical', 'host', 1);
    await fire('db-01', 'warning', 'process', 2);
    await fire('web-01', 'critical', 'host', 3, { silenced: true });
    await fire('db-02', 'critical', 'host', 4, { shadow: true });
  });

  async function fire(
    host: string,
    severity: string,
    kind: string,
    order: number,
    { shadow = false, silenced = false } = {},
  ) {
    const service = hosts.find((each) => each.host === host)?.id ?? '';
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context, shadow, silenced_by)
      values (${api.organizationId}, ${newId('alr')}, ${rule}, 'CPU', 1, ${service}, ${host}, ${kind}, ${host},
        'active', 'firing', ${severity}, 'cpu_percent', 'greater_than', 90, ${`${host} ${kind}`}, ${NOW + order},
        '{"processes": [], "containers": []}', ${shadow}, ${silenced ? newId('sil') : null})`;
  }
  const preview = (matchers: object, options = {}) =>
    api.call('POST', PREVIEW, { body: { matchers }, key: 'reader', ...options });

  it.each<[object, maintenance: boolean, hosts: string[], alerts: string[]]>([
    [{ hosts: ['db-*'] }, true, ['db-01', 'db-02'], ['db-01 process', 'db-01 host']],
    [{ tags: { role: 'web' } }, true, ['web-01'], ['web-01 host']],
    [{ hosts: ['db-*'], severities: ['critical'] }, false, ['db-01', 'db-02'], ['db-01 host']],
    [{ subjects: [{ kind: 'process', name: '*' }] }, false, ['db-01', 'db-02', 'web-01'], ['db-01 process']],
    [{ hosts: ['nothing'] }, true, [], []],
  ])('its hosts and active alerts are previewed: %j', async (matchers, maintenance, names, summaries) => {
    const { status, body } = await preview(matchers);
    expect(status).toBe(200);
    expect(body.maintenance).toBe(maintenance);
    expect(body.services.total).toBe(names.length);
    expect(body.services.list.map(({ name }: Body) => name)).toEqual(names);
    expect(body.alerts.total).toBe(summaries.length);
    expect(body.alerts.list.map(({ summary }: Body) => summary)).toEqual(summaries);
    const rules = summaries.length === 0 ? [] : [{ id: rule, name: 'CPU', alerts: summaries.length }];
    expect(body.rules).toEqual(rules);
  });

  it('its alerts are counted by severity, with those that are silenced already', async () => {
    const { body } = await preview({ rule_ids: [rule] });
    expect(body.alerts).toMatchObject({ total: 3, critical: 2, warning: 1, info: 0, silenced: 1 });
    expect((await api.get('/api/v1/silences')).body.pagination.total).toBe(0);
  });

  it('its matchers are checked as at its creation, and see nothing of another organization', async () => {
    const { body } = await preview({ rule_ids: [newId('rul')] });
    expect(body.errors).toMatchObject([{ path: '/matchers/rule_ids/0', code: 'unknown_rule' }]);
    expect((await preview({})).body.errors).toMatchObject([{ path: '/matchers', code: 'too_few' }]);
    const theirs = await preview({ hosts: ['*'] }, { key: 'stranger' });
    expect(theirs.body).toMatchObject({ services: { total: 0 }, alerts: { total: 0 }, rules: [] });
    expect((await preview({ rule_ids: [rule] }, { key: 'stranger' })).status).toBe(422);
  });
});

describe('windows of silences', () => {
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const make = async (name: string, more: object) => {
      const body = { matchers: { hosts: ['*'] }, from: at(-HOUR_MS), until: at(HOUR_MS), ...more };
      ids[name] = (await recurring.call('POST', '/api/v1/silences', { body })).body.id;
    };
    await make('once', {});
    await make('daily', { recurrence: 'FREQ=DAILY;COUNT=3' });
    await make('over', { from: at(-3 * HOUR_MS), until: at(-2 * HOUR_MS) });
    await make('deleted', {});
    await recurring.call('DELETE', `/api/v1/silences/${ids.deleted}`);
  });

  it('are those of the list within a week, each recurrence by itself', async () => {
    const { status, body } = await recurring.get(WINDOWS, { key: 'reader' });
    expect([status, body.from, body.to]).toEqual([200, at(0), at(7 * DAY_MS)]);
    const window = (name: string, day: number) => ({
      silence_id: ids[name],
      from: at(day * DAY_MS - HOUR_MS),
      until: at(day * DAY_MS + HOUR_MS),
    });
    expect(body.windows).toEqual([
      window('once', 0),
      window('daily', 0),
      window('daily', 1),
      window('daily', 2),
    ]);
  });

  it('agree with the status of the silence at any time', async () => {
    const { windows } = (await recurring.get(`${WINDOWS}?from=${at(-DAY_MS)}&to=${at(4 * DAY_MS)}`)).body;
    for (let hour = -24; hour < 96; hour += 5) {
      const active = (await recurring.get(`/api/v1/silences?status=active&at=${at(hour * HOUR_MS + 1)}`)).body
        .silences;
      const open = windows.filter(
        ({ from, until }: Body) => from <= at(hour * HOUR_MS + 1) && at(hour * HOUR_MS + 1) < until,
      );
      expect(new Set(open.map(({ silence_id }: Body) => silence_id))).toEqual(
        new Set(active.map(({ id }: Body) => id)),
      );
    }
  });

  it.each([
    [`?to=${at(-DAY_MS)}&from=${at(0)}`, '/to', 'out_of_range'],
    [`?from=${at(0)}&to=${at(93 * DAY_MS)}`, '/to', 'out_of_range'],
    ['?from=yesterday', '/from', undefined],
    ['?limit=1', '/limit', 'unknown_parameter'],
  ])('refuse %s', async (query, path, code) => {
    const { status, body } = await recurring.get(`${WINDOWS}${query}`);
    expect([status, body.errors[0].path]).toEqual([422, path]);
    if (code !== undefined) expect(body.errors[0].code).toBe(code);
  });

  it('of silences that recur too often for the range are refused', async () => {
    const body = {
      matchers: { hosts: ['x'] },
      from: at(0),
      until: at(1_000),
      recurrence: 'FREQ=HOURLY',
    };
    for (let made = 0; made < 5; made += 1)
      expect((await recurring.call('POST', '/api/v1/silences', { body })).status).toBe(201);
    const { body: refused } = await recurring.get(`${WINDOWS}?from=${at(0)}&to=${at(90 * DAY_MS)}`);
    expect(refused.errors).toMatchObject([{ path: '/to', code: 'too_large' }]);
  }, 60_000);
});
