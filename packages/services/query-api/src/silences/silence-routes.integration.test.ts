import { eventSchema } from '@tidewatch/contracts/events/event';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const SILENCES = '/api/v1/silences';
const at = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

const api = await openForFile(openApi());

describe('silences', () => {
  let rule: string;

  beforeAll(async () => {
    const body = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
    rule = (await api.call('POST', '/api/v1/alerts/rules', { body })).body.id;
  });

  const make = (more: object = {}) =>
    api.call('POST', SILENCES, {
      body: { matchers: { hosts: ['db-*'] }, from: at(-1), until: at(1), comment: 'upgrade', ...more },
    });
  const revision = async () =>
    (await api.sql`select revision from revisions where name = 'silences'`)[0]?.revision as number;

  it('are created, read and ended; each change emits an event and raises the revision that evaluators read', async () => {
    const before = await revision();
    const created = await make({ matchers: { hosts: ['db-*'], severities: ['warning'], rule_ids: [rule] } });
    const { id } = created.body;
    expect([created.status, created.headers.get('location')]).toEqual([201, `${SILENCES}/${id}`]);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^sil_[0-9a-f]{32}$/),
      matchers: { hosts: ['db-*'], tags: {}, rule_ids: [rule], severities: ['warning'], subjects: [] },
      from: at(-1),
      until: at(1),
      recurrence: null,
      timezone: 'UTC',
      comment: 'upgrade',
      status: 'active',
      created_at: at(0),
      created_by: { key_id: expect.stringMatching(/^key_/), name: 'admin' },
    });
    const read = await api.get(`${SILENCES}/${id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([created.body, created.headers.get('etag')]);
    const unchanged = { 'If-None-Match': read.headers.get('etag') };
    expect((await api.get(`${SILENCES}/${id}`, { headers: unchanged })).status).toBe(304);
    const stale = { 'If-Match': '"2"' };
    expect((await api.call('DELETE', `${SILENCES}/${id}`, { headers: stale })).status).toBe(412);
    expect((await api.call('DELETE', `${SILENCES}/${id}`)).status).toBe(204);
    for (const method of ['DELETE', 'GET'])
      expect((await api.call(method, `${SILENCES}/${id}`)).status).toBe(404);
    expect(await revision()).toBe(before + 2);
    const events = await api.eventsOf(id);
    expect(events.map(({ type, data }) => [type, data.silence.status])).toEqual([
      ['silence.created', 'active'],
      ['silence.ended', 'expired'],
    ]);
    for (const event of events) expect(eventSchema.safeParse(event).error).toBeUndefined();
  });

  it('have the status of the current time, by the wall clock of their time zone where they recur', async () => {
    const status = async (more: object) => (await make(more)).body.status;
    expect(await status({ from: at(-2), until: at(-1) })).toBe('expired');
    expect(await status({ from: at(1), until: at(2) })).toBe('scheduled');
    expect(await status({ from: at(-30), until: at(-29), recurrence: 'FREQ=DAILY' })).toBe('scheduled');
    const recurring = (
      await make({ from: at(-25), until: at(-23), recurrence: 'FREQ=DAILY', timezone: 'Europe/Berlin' })
    ).body;
    expect(recurring).toMatchObject({
      status: 'active',
      recurrence: 'FREQ=DAILY',
      timezone: 'Europe/Berlin',
    });
    api.clock.now += HOUR_MS;
    expect((await api.get(`${SILENCES}/${recurring.id}`)).body.status).toBe('scheduled');
    api.clock.now -= HOUR_MS;
    expect(await status({ from: at(-30), until: at(-29), recurrence: 'FREQ=HOURLY;COUNT=3' })).toBe(
      'expired',
    );
  });

  it('are listed by creation, by status, by cursor and by offset, and hidden from other organizations', async () => {
    const all = (await api.walk(SILENCES, 'silences', 'offset', 2)).seen;
    expect(all.length).toBeGreaterThan(4);
    expect(all.map(({ created_at, id }: Body) => `${created_at} ${id}`)).toEqual(
      all.map(({ created_at, id }: Body) => `${created_at} ${id}`).toSorted(),
    );
    for (const status of ['scheduled', 'active', 'expired']) {
      const wanted = all.filter((each) => each.status === status).map(({ id }) => id);
      expect(wanted.length).toBeGreaterThan(0);
      for (const by of ['offset', 'cursor'] as const) {
        const { seen, total } = await api.walk(`${SILENCES}?status=${status}`, 'silences', by, 1);
        expect([total, seen.map(({ id }) => id)]).toEqual([wanted.length, wanted]);
      }
    }
    expect((await api.get(`${SILENCES}?status=over`)).body.errors[0].path).toBe('/status');
    expect((await api.get(SILENCES, { key: 'stranger' })).body.pagination.total).toBe(0);
    const [first] = all as [Body];
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, `${SILENCES}/${first.id}`, { key: 'stranger' })).status).toBe(404);
    expect((await api.call('DELETE', `${SILENCES}/${first.id}`, { key: 'reader' })).body.code).toBe(
      'scope_missing',
    );
    expect((await api.call('POST', SILENCES, { key: 'reader', body: {} })).body.code).toBe('scope_missing');
  });

  it('are refused with all faults at once', async () => {
    const body = {
      matchers: { hosts: [''], severities: ['fatal'], subjects: [{ kind: 'host' }], what: 1 },
      from: 'soon',
      timezone: 'Atlantis/Poseidonis',
      comment: null,
      color: 'red',
    };
    const { status, body: problem } = await api.call('POST', SILENCES, { body });
    expect(status).toBe(422);
    expect(problem.errors.map(({ path, code }: Body) => `${path} ${code}`).toSorted()).toEqual([
      '/color unknown_field',
      '/comment invalid_type',
      '/from invalid_timestamp',
      '/matchers/hosts/0 too_short',
      '/matchers/severities/0 invalid_value',
      '/matchers/subjects/0/name required',
      '/matchers/what unknown_field',
      '/timezone unknown_timezone',
      '/until required',
    ]);
  });

  it.each<[string, object, path: string, code: string]>([
    ['without matchers', { matchers: undefined }, '/matchers', 'required'],
    ['whose matchers are empty', { matchers: {} }, '/matchers', 'too_few'],
    [
      'whose matchers ask for nothing',
      { matchers: { hosts: [], tags: { env: [] } } },
      '/matchers',
      'too_few',
    ],
    ['that ends as it begins', { until: at(-1) }, '/until', 'out_of_range'],
    [
      'of an unknown rule',
      { matchers: { rule_ids: [newId('rul')] } },
      '/matchers/rule_ids/0',
      'unknown_rule',
    ],
    ['of what is no rule', { matchers: { rule_ids: ['cpu'] } }, '/matchers/rule_ids/0', 'invalid_value'],
    ['that recurs by no rule', { recurrence: 'each Sunday' }, '/recurrence', 'invalid_format'],
    [
      'that recurs never',
      { recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
      '/recurrence',
      'too_complex',
    ],
  ])('one %s is 422', async (_, more, path, code) => {
    const { status, body } = await make(more);
    expect([status, body.errors]).toMatchObject([422, [{ in: 'body', path, code }]]);
  });

  it('on a rule of another organization are 422 like those on an unknown rule', async () => {
    const body = { matchers: { rule_ids: [rule] }, from: at(-1), until: at(1) };
    const { status } = await api.call('POST', SILENCES, { key: 'stranger', body });
    expect(status).toBe(422);
  });
});
