import { eventSchema } from '@tidewatch/contracts/events/event';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { countAlerts } from '@tidewatch/store/alerts/count';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const api = await openForFile(openApi());

describe('an alert', () => {
  let rule: string;
  const service = newId('svc');

  beforeAll(async () => {
    const body = {
      name: 'CPU',
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
      runbook_url: 'https://wiki.example.com/cpu',
    };
    rule = (await api.call('POST', '/api/v1/alerts/rules', { body })).body.id;
    await api.service(service, 'web-01');
  });

  async function fire(): Promise<string> {
    const id = newId('alr');
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, fired_at, context)
      values (${api.organizationId}, ${id}, ${rule}, 'former name', 1, ${service}, 'web-01', 'host', 'web-01',
        'active', 'firing', 'critical', 'cpu_percent', 'greater_than', 90, 'x', ${NOW - 60_000},
        '{"processes": [], "containers": []}')`;
    return id;
  }

  const act = (id: string, what: 'acknowledge' | 'resolve', options: object = {}) =>
    api.call('POST', `/api/v1/alerts/${id}/${what}`, options);
  const by = { key_id: expect.stringMatching(/^key_/), name: 'admin' };
  const count = (filter: object) => countAlerts(api.sql, api.organizationId, filter);

  it('is acknowledged once, by the first request, and keeps its comments', async () => {
    const id = await fire();
    const before = await count({ acknowledged: true });
    const first = await act(id, 'acknowledge');
    const at = new Date(NOW).toISOString();
    expect([first.status, first.body]).toMatchObject([
      200,
      { id, status: 'active', state: 'firing', acknowledged_at: at, acknowledged_by: by, comments: [] },
    ]);
    api.clock.now += 1_000;
    const later = new Date(api.clock.now).toISOString();
    const said = { body: { comment: 'on it' } };
    const second = await act(id, 'acknowledge', said);
    const wanted = { acknowledged_at: at, comments: [{ at: later, by, text: 'on it' }], updated_at: later };
    expect(second.body).toMatchObject(wanted);
    api.clock.now += 1_000;
    expect((await act(id, 'acknowledge', said)).body).toEqual(second.body);
    expect((await api.get(`/api/v1/alerts/${id}`)).body).toEqual(second.body);
    api.clock.now = NOW;
    expect(await count({ acknowledged: true })).toBe(before + 1);
    const events = await api.eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual(['alert.acknowledged']);
    expect(events[0]?.data).toMatchObject({
      alert: { id, acknowledged_at: at, acknowledged_by: by },
      rule: { id: rule, name: 'CPU', runbook_url: 'https://wiki.example.com/cpu' },
    });
    expect(eventSchema.safeParse(events[0]).error).toBeUndefined();
  });

  it('is resolved once, raises the revision that evaluators read, and cannot be acknowledged afterwards', async () => {
    const id = await fire();
    const before = await count({ status: 'resolved' });
    const first = await act(id, 'resolve', { body: { comment: 'cleaned up' } });
    expect([first.status, first.body]).toMatchObject([
      200,
      {
        id,
        status: 'resolved',
        state: 'resolved',
        resolution: 'manual',
        resolved_at: new Date(NOW).toISOString(),
        comments: [{ by, text: 'cleaned up' }],
      },
    ]);
    api.clock.now += 1_000;
    expect((await act(id, 'resolve')).body).toEqual(first.body);
    api.clock.now = NOW;
    expect(await count({ status: 'resolved' })).toBe(before + 1);
    expect((await api.eventsOf(id)).map(({ type }) => type)).toEqual(['alert.resolved']);
    expect(await api.sql`select host from resolved_by_hand where alert_id = ${id}`).toEqual([
      { host: 'web-01' },
    ]);
    const refused = await act(id, 'acknowledge');
    expect([refused.status, refused.body.code]).toEqual([409, 'alert_resolved']);
  });

  it('cannot be changed by another organization, nor without the scope write', async () => {
    const id = await fire();
    for (const what of ['acknowledge', 'resolve'] as const) {
      expect((await act(id, what, { key: 'stranger' })).status).toBe(404);
      expect((await act(id, what, { key: 'reader' })).body.code).toBe('scope_missing');
      expect((await act(newId('alr'), what)).status).toBe(404);
      expect((await act('alr_x', what)).status).toBe(404);
      const { body } = await act(id, what, { body: { comment: '', color: 'red' } });
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['/comment', '/color']);
      expect((await act(id, what, { body: '[]' })).status).toBe(422);
    }
    expect((await api.get(`/api/v1/alerts/${id}`)).body).toMatchObject({
      status: 'active',
      acknowledged_at: null,
    });
  });

  it('accepts at most a hundred comments', async () => {
    const id = await fire();
    const comments = Array.from({ length: 100 }, (_, i) => ({
      at: 'x',
      by: { key_id: 'key_x', name: 'x' },
      text: `${i}`,
    }));
    await api.sql`update alerts set comments = ${api.sql.json(comments)} where id = ${id}`;
    const { status, body } = await act(id, 'acknowledge', { body: { comment: 'one more' } });
    expect([status, body.errors]).toMatchObject([422, [{ path: '/comment', code: 'too_many' }]]);
    expect((await act(id, 'resolve')).body.comments).toHaveLength(100);
  });

  it('is commented on without being acknowledged, also after it has resolved', async () => {
    const id = await fire();
    const comment = (text: string, options: object = {}) =>
      api.call('POST', `/api/v1/alerts/${id}/comments`, { body: { comment: text }, ...options });
    const first = await comment('looking');
    expect([first.status, first.body]).toMatchObject([
      200,
      { id, status: 'active', acknowledged_at: null, comments: [{ text: 'looking', by }] },
    ]);
    expect((await comment('looking')).body.comments).toHaveLength(1);
    await act(id, 'resolve');
    expect((await comment('it was the disk')).body).toMatchObject({
      status: 'resolved',
      comments: [{ text: 'looking' }, { text: 'it was the disk' }],
    });
    expect((await api.eventsOf(id)).map(({ type }) => type)).toEqual(['alert.resolved']);
    const { audit } = (await api.get(`/api/v1/audit?object_id=${id}`)).body;
    expect(audit.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'alert.commented',
      'alert.commented',
      'alert.resolved',
    ]);
    expect((await comment('x', { key: 'reader' })).status).toBe(403);
    expect((await comment('x', { key: 'stranger' })).status).toBe(404);
    for (const body of [{}, { comment: null }, { comment: '' }])
      expect((await comment('', { body })).body.errors).toMatchObject([{ path: '/comment' }]);
  });
});
