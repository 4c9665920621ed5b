import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const NOTIFICATIONS = 230;
const STATUSES = ['queued', 'delivered', 'failed', 'suppressed', 'not_configured'] as const;
const idOf = (i: number) => `ntf_${i.toString(16).padStart(32, '0')}`;
const alertOf = (i: number) => `alr_${i.toString(16).padStart(32, '0')}`;
const CHANNEL = newId('chn');

const api = await openForFile(openApi());

describe('notifications', () => {
  beforeAll(async () => {
    // Creates two notifications for each second; the hundredth is a digest of three alerts.
    await api.sql`
      insert into notifications (organization_id, id, event_id, rule_id, transition, direction, channel, channel_kind, channel_id,
        channel_name, status, reason, attempts, event, waits_for, next_attempt_at, give_up_at, created_at, sent_at)
      select ${api.organizationId}, 'ntf_' || lpad(to_hex(i), 32, '0'), 'evt_' || lpad(to_hex(i), 32, '0'),
        'rul_' || lpad('1', 32, '0'), case when i = 100 then 'digest' else 'fired' end, 'opening', ${CHANNEL}, 'webhook',
        case when i % 5 < 4 then ${CHANNEL} end, 'hook', (${[...STATUSES]}::text[])[1 + i % 5],
        case i % 5 when 3 then 'silenced' when 4 then 'no_default' end, i % 3, '{"id": "x"}', '{ntf_x}', now(), now(),
        ${NOW}::timestamptz - (i / 2) * interval '1 second', case when i % 5 = 1 then ${NOW}::timestamptz end
      from generate_series(0, ${NOTIFICATIONS - 1}) i`;
    await api.sql`
      insert into notification_alerts (organization_id, alert_id, channel, event_id, notification_id)
      select ${api.organizationId}, 'alr_' || lpad(to_hex(case when i = 100 then a else i % 20 end), 32, '0'), ${CHANNEL},
        'evt_' || lpad(to_hex(i * 10 + a), 32, '0'), 'ntf_' || lpad(to_hex(i), 32, '0')
      from generate_series(0, ${NOTIFICATIONS - 1}) i, generate_series(0, case when i = 100 then 2 else 0 end) a`;
  });

  const all = Array.from({ length: NOTIFICATIONS }, (_, i) => i).sort(
    (a, b) => Math.floor(a / 2) - Math.floor(b / 2) || b - a,
  );

  it.each<[string, (i: number) => boolean]>([
    ['', () => true],
    ['?status=failed', (i) => i % 5 === 2],
    [`?alert_id=${alertOf(2)}`, (i) => i % 20 === 2 || i === 100],
    [`?alert_id=${alertOf(0)}&status=queued`, (i) => i % 20 === 0],
    [`?alert_id=${alertOf(99)}`, () => false],
  ])('%s are those that match, newest first, by either way of paging', async (query, matches) => {
    const wanted = all.filter(matches).map(idOf);
    for (const by of ['offset', 'cursor'] as const) {
      const { seen, total } = await api.walk(`/api/v1/notifications${query}`, 'notifications', by, 30);
      expect(total).toBe(wanted.length);
      expect(seen.map(({ id }) => id)).toEqual(wanted);
    }
  });

  it('GET /notifications/:id has its alerts, its channel and its outcome', async () => {
    const { body } = await api.get(`/api/v1/notifications?alert_id=${alertOf(1)}&limit=100`);
    const digest = body.notifications.find(({ transition }: Body) => transition === 'digest');
    expect(digest).toMatchObject({
      id: idOf(100),
      alert_ids: [alertOf(0), alertOf(1), alertOf(2)],
      channel: { id: CHANNEL, kind: 'webhook', name: 'hook' },
      status: 'queued',
      reason: null,
    });
  });

  it('name those of their first five alerts that are kept, in the order of their ids', async () => {
    // The digest has seven alerts by now, and the second one is no longer kept.
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context)
      select ${api.organizationId}, 'alr_' || lpad(to_hex(i), 32, '0'), 'rul_' || lpad('1', 32, '0'), 'CPU is busy', 1,
        'svc_' || lpad('1', 32, '0'), 'host-' || i, 'host', 'host-' || i, 'active', 'firing', 'warning', 'cpu_percent',
        'greater_than', 90, 'host-' || i || ': cpu_percent is 93.5', ${NOW}, '{"processes": [], "containers": []}'
      from generate_series(0, 6) i where i <> 1`;
    await api.sql`
      insert into notification_alerts (organization_id, alert_id, channel, event_id, notification_id)
      select ${api.organizationId}, 'alr_' || lpad(to_hex(i), 32, '0'), ${CHANNEL}, 'evt_' || lpad(to_hex(i), 32, 'f'), ${idOf(100)}
      from generate_series(3, 6) i`;
    const { body } = await api.get(`/api/v1/notifications?alert_id=${alertOf(6)}&limit=100`);
    const digest = body.notifications.find(({ id }: Body) => id === idOf(100));
    expect(digest.alert_ids).toHaveLength(7);
    expect(digest.alerts).toEqual(
      [0, 2, 3, 4, 5].map((i) => ({
        id: alertOf(i),
        host: `host-${i}`,
        rule_name: 'CPU is busy',
        severity: 'warning',
        summary: `host-${i}: cpu_percent is 93.5`,
      })),
    );
    const { body: other } = await api.get(`/api/v1/notifications?alert_id=${alertOf(15)}&limit=1`);
    expect(other.notifications[0].alerts).toEqual([]);
    const { body: selected } = await api.get('/api/v1/notifications?limit=1&fields=id,alerts');
    expect(Object.keys(selected.notifications[0]).sort()).toEqual(['alerts', 'id']);
  });

  it.each(['status=sent', 'limit=0', 'cursor=x&offset=1', 'alert_id='])('%s is 422', async (query) => {
    expect((await api.get(`/api/v1/notifications?${query}`)).status).toBe(422);
  });

  it('are hidden from other organizations', async () => {
    const { body } = await api.get('/api/v1/notifications', { key: 'stranger' });
    expect(body.pagination.total).toBe(0);
    const path = `/api/v1/notifications/${idOf(1)}/redeliver`;
    expect((await api.call('POST', path, { key: 'stranger' })).status).toBe(404);
    expect((await api.call('POST', path, { key: 'reader' })).status).toBe(403);
  });

  it.each([
    ['delivered', 6],
    ['failed', 7],
    ['suppressed', 8],
  ])('one that was %s is queued once more on request, and waits for nothing', async (status, i) => {
    const before = await api.sql`select status, attempts from notifications where id = ${idOf(i)}`;
    expect(before).toMatchObject([{ status }]);
    const { status: code, body } = await api.call('POST', `/api/v1/notifications/${idOf(i)}/redeliver`);
    expect([code, body.status, body.reason, body.attempts]).toEqual([
      202,
      'queued',
      null,
      before[0]?.attempts,
    ]);
    const [row] = await api.sql`
      select waits_for, forced, next_attempt_at, give_up_at from notifications where id = ${idOf(i)}`;
    expect(row).toEqual({ waits_for: [], forced: true, next_attempt_at: NOW, give_up_at: NOW + 86_400_000 });
    const { audit } = (await api.get(`/api/v1/audit?object_id=${idOf(i)}`)).body;
    expect(audit).toMatchObject([
      {
        action: 'notification.redelivered',
        object: { type: 'notification', id: idOf(i), name: 'hook' },
        before: { status },
        after: { status: 'queued' },
      },
    ]);
  });

  it('is refused for a notification without a channel', async () => {
    const { status, body } = await api.call('POST', `/api/v1/notifications/${idOf(4)}/redeliver`);
    expect([status, body.code]).toEqual([409, 'conflict']);
  });

  it.each(['ntf_x', newId('ntf')])('%s is 404', async (id) => {
    expect((await api.call('POST', `/api/v1/notifications/${id}/redeliver`)).status).toBe(404);
  });
});
