import { auditRecordSchema } from '@tidewatch/contracts/audit/audit';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const AUDIT = '/api/v1/audit';
const RULES = '/api/v1/alerts/rules';
const RULE = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };

const api = await openForFile(openApi());

describe('the audit log', () => {
  const made = async (path: string, body: object) => (await api.call('POST', path, { body })).body;
  const of = async (id: string): Promise<Body[]> => (await api.get(`${AUDIT}?object_id=${id}`)).body.audit;
  const actions = async (id: string) => (await of(id)).map(({ action }) => action);

  it('records who changed a rule, from which address, and the rule before and after', async () => {
    const { id } = await made(RULES, RULE);
    await api.call('PATCH', `${RULES}/${id}`, { body: { threshold: 80 } });
    await api.call('PATCH', `${RULES}/${id}`, { body: { threshold: 80 } });
    await api.call('DELETE', `${RULES}/${id}`);
    const records = await of(id);
    for (const record of records) auditRecordSchema.parse(record);
    expect(records).toMatchObject([
      { action: 'rule.deleted', before: { threshold: 80, version: 2 }, after: null },
      { action: 'rule.updated', before: { threshold: 90, version: 1 }, after: { threshold: 80, version: 2 } },
      { action: 'rule.created', before: null, after: { threshold: 90, version: 1 } },
    ]);
    for (const record of records)
      expect(record).toMatchObject({
        at: new Date(NOW).toISOString(),
        ip: '127.0.0.1',
        actor: { name: 'admin' },
        object: { type: 'rule', id, name: 'CPU' },
      });
  });

  it('records the changes of a set of rules and of the starter set', async () => {
    const set = (threshold: number) => ({
      rules: [{ ...RULE, external_id: 'set/cpu', threshold }],
      prune: true,
    });
    const put = async (threshold: number) => (await api.call('PUT', RULES, { body: set(threshold) })).body;
    const [id] = (await put(1)).created;
    await put(2);
    await api.call('PUT', RULES, { body: { ...set(3), dry_run: true } });
    await api.call('PUT', RULES, { body: { rules: [], prune: true } });
    expect(await actions(id)).toEqual(['rule.deleted', 'rule.updated', 'rule.created']);
    const starter = (await api.call('POST', `${RULES}/starter`)).body.created;
    for (const each of starter) expect(await actions(each)).toEqual(['rule.created']);
  });

  it('masks the secrets of channels', async () => {
    const url = 'https://hooks.slack.com/services/T/B/very-secret-text';
    const body = { kind: 'slack', name: 'a', config: { webhook_url: url } };
    const first = await made('/api/v1/channels', body);
    const second = await made('/api/v1/channels', { ...body, name: 'b', is_default: true });
    await api.call('PATCH', `/api/v1/channels/${first.id}`, { body: { name: 'c' } });
    await api.call('DELETE', `/api/v1/channels/${first.id}`);
    expect(await actions(first.id)).toEqual([
      ...['channel.deleted', 'channel.updated', 'channel.updated', 'channel.created'],
    ]);
    expect((await of(first.id))[1]).toMatchObject({ before: { name: 'a' }, after: { name: 'c' } });
    expect(await actions(second.id)).toEqual(['channel.created']);
    expect((await api.get(`${AUDIT}?limit=100`)).text).not.toContain('very-secret-text');
  });

  it('records changes of silences, keys, services and alerts', async () => {
    const silence = await made('/api/v1/silences', {
      matchers: { hosts: ['a'] },
      comment: 'upgrade',
      from: '2026-11-21T00:00:00Z',
      until: '2026-11-23T00:00:00Z',
    });
    await api.call('DELETE', `/api/v1/silences/${silence.id}`);
    expect(await actions(silence.id)).toEqual(['silence.deleted', 'silence.created']);

    const key = await made('/api/v1/keys', { name: 'k', scopes: ['read'] });
    const next = await made(`/api/v1/keys/${key.id}/rotate`, {});
    await api.call('DELETE', `/api/v1/keys/${key.id}`);
    expect(await actions(key.id)).toEqual(['key.revoked', 'key.created']);
    expect(await actions(next.id)).toEqual(['key.rotated']);
    expect(JSON.stringify(await of(next.id))).not.toContain(next.secret.slice(-64));

    const [service, alert] = [newId('svc'), newId('alr')];
    await api.service(service, 'a');
    await api.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name, status,
        state, severity, metric, condition, summary, fired_at, context)
      values (${api.organizationId}, ${alert}, ${newId('rul')}, 'a', 1, ${service}, 'a', 'host', 'a', 'active', 'firing',
        'info', 'm', 'equal', 'a is on fire', now(), '{}')`;
    const act = (what: string, body: object) => api.call('POST', `/api/v1/alerts/${alert}/${what}`, { body });
    await act('acknowledge', { comment: 'mine' });
    await act('acknowledge', { comment: 'mine' });
    await act('acknowledge', { comment: 'still' });
    await act('resolve', {});
    await act('resolve', {});
    expect(await actions(alert)).toEqual(['alert.resolved', 'alert.commented', 'alert.acknowledged']);
    const investigation = await made('/api/v1/investigations', { alert_id: alert, question: 'Why?' });
    expect(await of(investigation.id)).toMatchObject([
      {
        action: 'investigation.requested',
        object: { type: 'investigation', name: 'a is on fire' },
        before: null,
        after: { alert_ids: [alert], question: 'Why?', metric: 'm' },
      },
    ]);
    await api.call('DELETE', `/api/v1/services/${service}`);
    expect(await actions(service)).toEqual(['service.deleted']);
  });

  it('is filtered, paged, readable by admins alone, and cannot be changed', async () => {
    const filtered = async (query: string) =>
      (await api.get(`${AUDIT}?limit=100&${query}`)).body.audit as Body[];
    for (const { object } of await filtered('object_type=channel')) expect(object.type).toBe('channel');
    for (const { action } of await filtered('action=rule.created')) expect(action).toBe('rule.created');
    const [{ actor, id } = { actor: {}, id: '' }] = await filtered('');
    expect((await filtered(`key_id=${actor.key_id}`)).length).toBeGreaterThan(0);
    expect(await filtered(`key_id=${newId('key')}`)).toEqual([]);
    expect(await filtered(`from=${new Date(NOW + 1).toISOString()}`)).toEqual([]);
    expect((await filtered(`to=${new Date(NOW + 1).toISOString()}`)).length).toBeGreaterThan(0);
    const byCursor = await api.walk(AUDIT, 'audit', 'cursor', 7);
    const byOffset = await api.walk(AUDIT, 'audit', 'offset', 7);
    expect(byCursor.seen).toEqual(byOffset.seen);
    expect(byCursor.seen).toHaveLength(byCursor.total);
    expect((await api.get(AUDIT, { key: 'reader' })).body.code).toBe('scope_missing');
    expect((await api.get(AUDIT, { key: 'stranger' })).body.audit).toEqual([]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([404, 405]).toContain((await api.call(method, `${AUDIT}/${id}`)).status);
  });

  it('has no records of refused changes', async () => {
    const before = (await api.get(AUDIT)).body.pagination.total;
    await api.call('POST', RULES, { body: { ...RULE, threshold: 'x' } });
    await api.call('POST', RULES, { body: { ...RULE, external_id: 'twice' } });
    await api.call('POST', RULES, { body: { ...RULE, external_id: 'twice' } });
    expect((await api.get(AUDIT)).body.pagination.total).toBe(before + 1);
  });
});
