import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const COUNTS = '/api/v1/alerts/counts';
const at = (ms: number) => new Date(NOW + ms).toISOString();

interface Fired {
  rule: string;
  host: string;
  severity: string;
  /** Relative to now, ms. */
  firedAt: number;
  resolvedAt?: number;
  resolution?: string;
  acknowledged?: boolean;
  flaps?: number;
  shadow?: boolean;
}

const api = await openForFile(openApi());

describe('counts of alerts', () => {
  const [cpu, disk] = [newId('rul'), newId('rul')];
  const hosts = new Map([
    ['web-01', newId('svc')],
    ['web-02', newId('svc')],
  ]);

  beforeAll(async () => {
    const hour = (hours: number) => hours * HOUR_MS;
    await fire({ rule: cpu, host: 'web-01', severity: 'warning', firedAt: hour(-1), acknowledged: true });
    await fire({
      rule: cpu,
      host: 'web-02',
      severity: 'warning',
      firedAt: hour(-3),
      resolvedAt: hour(-2),
      resolution: 'recovered',
      flaps: 2,
    });
    const notified = await fire({
      rule: cpu,
      host: 'web-02',
      severity: 'critical',
      firedAt: hour(-3) + MINUTE_MS,
      resolvedAt: hour(-3) + 31 * MINUTE_MS,
      resolution: 'manual',
    });
    await fire({
      rule: disk,
      host: 'web-01',
      severity: 'critical',
      firedAt: -6 * DAY_MS,
      resolvedAt: -6 * DAY_MS + 1,
      resolution: 'recovered',
    });
    await fire({ rule: disk, host: 'web-01', severity: 'critical', firedAt: -8 * DAY_MS });
    await fire({ rule: disk, host: 'web-01', severity: 'info', firedAt: hour(-1), shadow: true });
    await notify(notified, 'delivered');
    await notify(notified, 'failed');
  });

  async function fire(fired: Fired): Promise<string> {
    const id = newId('alr');
    const { rule, host, severity, firedAt, resolvedAt, resolution = null, flaps = 0, shadow = false } = fired;
    const status = resolvedAt === undefined ? 'active' : 'resolved';
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context, resolved_at, resolution,
        acknowledged_at, flap_count, shadow)
      values (${api.organizationId}, ${id}, ${rule}, ${rule === cpu ? 'CPU' : 'Disk'}, 1, ${hosts.get(host) ?? ''}, ${host},
        'host', ${host}, ${status}, ${status === 'active' ? 'firing' : status}, ${severity}, 'm', 'greater_than', 90, 'x',
        ${NOW + firedAt}, '{"processes": [], "containers": []}', ${resolvedAt === undefined ? null : NOW + resolvedAt},
        ${resolution}, ${fired.acknowledged ? NOW : null}, ${flaps}, ${shadow})`;
    return id;
  }

  async function notify(alert: string, status: string): Promise<void> {
    const [id, event] = [newId('ntf'), newId('evt')];
    await api.sql`
      insert into notifications (organization_id, id, event_id, transition, direction, channel, channel_kind, status,
        next_attempt_at, give_up_at, created_at)
      values (${api.organizationId}, ${id}, ${event}, 'fired', 'opening', ${event}, 'slack', ${status}, ${NOW}, ${NOW}, ${NOW})`;
    await api.sql`
      insert into notification_alerts (organization_id, alert_id, channel, event_id, notification_id)
      values (${api.organizationId}, ${alert}, ${event}, ${event}, ${id})`;
  }

  const read = async (query = '', options = {}) => {
    const { status, body } = await api.get(`${COUNTS}${query}`, { key: 'reader', ...options });
    expect([status, body.errors]).toEqual([200, undefined]);
    return body;
  };

  it('are those of the last seven days, without shadow', async () => {
    expect(await read()).toEqual({
      from: at(-7 * DAY_MS),
      to: at(0),
      group_by: null,
      step_seconds: null,
      total: {
        alerts: 4,
        critical: 2,
        warning: 2,
        info: 0,
        services: 2,
        active: 1,
        recovered: 2,
        acknowledged: 1,
        notified: 1,
        flaps: 2,
        minutes: 150,
        points: [],
      },
      groups: [],
      groups_total: 0,
    });
  });

  it.each<[string, [string, string, number][]]>([
    [
      'rule_id',
      [
        [cpu, 'CPU', 3],
        [disk, 'Disk', 1],
      ],
    ],
    [
      'service_id',
      [
        ['web-01', 'web-01', 2],
        ['web-02', 'web-02', 2],
      ],
    ],
    [
      'severity',
      [
        ['critical', 'critical', 2],
        ['warning', 'warning', 2],
      ],
    ],
  ])('are grouped by %s, the most first', async (groupBy, groups) => {
    const body = await read(`?group_by=${groupBy}`);
    const found = body.groups.map(({ key, name, alerts }: Body) => [key, name, alerts]);
    const expected = groups.map(([key, ...rest]) => [hosts.get(key) ?? key, ...rest]);
    expect(new Set(found)).toEqual(new Set(expected));
    expect(found.map(([, , alerts]: [string, string, number]) => alerts)).toEqual(groups.map(([, , n]) => n));
    expect(body.groups_total).toBe(groups.length);
    expect(body.total.alerts).toBe(4);
  });

  it('have the counts of each group, and of the first `top` alone', async () => {
    const body = await read('?group_by=rule_id&top=1');
    expect(body.groups).toMatchObject([
      {
        key: cpu,
        services: 2,
        critical: 1,
        warning: 2,
        acknowledged: 1,
        notified: 1,
        flaps: 2,
        minutes: 150,
      },
    ]);
    expect(body.groups_total).toBe(2);
  });

  it('have the alerts of each step', async () => {
    const { step_seconds, total, groups } = await read(`?step=1h&group_by=rule_id&from=${at(-4 * HOUR_MS)}`);
    expect(step_seconds).toBe(3_600);
    const hour = (ms: number) => new Date(Math.floor((NOW + ms) / HOUR_MS) * HOUR_MS).toISOString();
    const points = [
      { t: hour(-3 * HOUR_MS), alerts: 2 },
      { t: hour(-HOUR_MS), alerts: 1 },
    ];
    expect(total.points).toEqual(points);
    expect(groups.map(({ points: of }: Body) => of)).toEqual([points]);
  });

  it('count alerts of rules in shadow where they are asked for', async () => {
    expect((await read('?shadow=only')).total).toMatchObject({ alerts: 1, info: 1 });
    expect((await read('?shadow=include')).total.alerts).toBe(5);
  });

  it('are those of the list of alerts', async () => {
    const range = `from=${at(-9 * DAY_MS)}&to=${at(-2 * HOUR_MS)}`;
    const list = await api.get(`/api/v1/alerts?status=all&${range}`);
    expect((await read(`?${range}`)).total.alerts).toBe(list.body.pagination.total);
  });

  it('of rules order the list of rules, those with the most alerts first with `-`', async () => {
    const list = '/api/v1/alerts/rules?sort=-alerts';
    for (const [id, name] of [
      [cpu, 'CPU'],
      [disk, 'Disk'],
    ])
      await api.sql`insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition)
        values (${api.organizationId}, ${id ?? ''}, ${name ?? ''}, true, 'm', 'warning',
          ${api.sql.json({ name, metric: 'm', condition: 'greater_than', threshold: 1, channels: [], scope: {}, overrides: [], thresholds: null })})`;
    const { seen } = await api.walk(`${list}&fields=id,alerts`, 'rules', 'cursor', 1);
    const { groups } = await read('?group_by=rule_id&shadow=include');
    const expected = groups.map(({ key, alerts }: Body) => ({ id: key, alerts }));
    expect(seen.filter(({ alerts }) => alerts > 0)).toEqual(expected);
    const { rules } = (await api.get('/api/v1/alerts/rules')).body;
    expect(rules.every((rule: Body) => !('alerts' in rule))).toBe(true);
  });

  it('are of the own organization alone', async () => {
    expect((await read('?group_by=rule_id', { key: 'stranger' })).total).toMatchObject({
      alerts: 0,
      minutes: 0,
    });
  });

  it.each([
    ['?step=5x', '/step', 'invalid_format'],
    ['?step=1m', '/step', 'too_many_points'],
    [`?step=1h&group_by=rule_id&top=1000`, '/step', 'too_many_points'],
    ['?group_by=host', '/group_by', undefined],
    ['?top=1001', '/top', 'out_of_range'],
    ['?service_id=x', '/service_id', undefined],
    [`?from=${at(0)}&to=${at(-1)}`, '/to', 'out_of_range'],
  ])('refuse %s', async (query, path, code) => {
    const { status, body } = await api.get(`${COUNTS}${query}`);
    expect([status, body.errors[0].path]).toEqual([422, path]);
    if (code !== undefined) expect(body.errors[0].code).toBe(code);
  });
});
