import { newId } from '@tidewatch/contracts/values/id';
import { STARTER_RULES } from '@tidewatch/domain/rules/starter-rules';
import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type ApiHarness, type Body, openApi } from '../testing/query-api.harness.ts';

const RULES = '/api/v1/alerts/rules';
const RULE = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
const YAML = { 'Content-Type': 'application/yaml' };
const NOTHING = { created: [], updated: [], unchanged: [], deleted: [] };
const named = (externalId: string, fields: object = {}) => ({ ...RULE, external_id: externalId, ...fields });

describe('sets of rules', () => {
  let api: ApiHarness;

  beforeEach(async () => {
    api = await openForTest(openApi());
  });

  const put = (body: unknown, options: object = {}) => api.call('PUT', RULES, { body, ...options });
  const set = (externalIds: string[], more: object = {}) => ({
    rules: externalIds.map((each) => named(each)),
    ...more,
  });
  const rules = async () => (await api.walk(RULES, 'rules', 'cursor', 100)).seen;
  const exported = async (format = 'yaml') => (await api.get(`${RULES}?format=${format}`)).text;
  const paths = ({ body }: Answer) => (body.errors as Body[]).map(({ path, code }) => `${path} ${code}`);

  async function traces() {
    const [revision] = await api.sql`select revision from revisions where name = 'rules'`;
    const events = await api.sql`
      select event ->> 'type' as type, event ->> 'subject' as subject, event -> 'data' -> 'rule' as rule
      from outbox order by id`;
    return { revision: revision?.revision ?? 0, events };
  }

  it('create, update and delete rules, each with its event, and change nothing when repeated', async () => {
    const first = await put(set(['a', 'b', 'c']));
    expect([first.status, first.body]).toEqual([200, { ...NOTHING, created: [...first.body.created] }]);
    const [a, b, c] = first.body.created;
    expect((await rules()).map(({ id, external_id, version }) => [id, external_id, version])).toEqual([
      [a, 'a', 1],
      [b, 'b', 1],
      [c, 'c', 1],
    ]);
    const next = { rules: [named('b'), named('d'), named('a', { threshold: 95 })], prune: true };
    const second = await put(next);
    const [d] = second.body.created;
    expect(second.body).toEqual({ created: [d], updated: [a], unchanged: [b], deleted: [c] });
    const before = await traces();
    expect(before.events.slice(3)).toMatchObject([
      { type: 'rule.created', subject: d, rule: { external_id: 'd', version: 1 } },
      { type: 'rule.updated', subject: a, rule: { external_id: 'a', version: 2 } },
      { type: 'rule.deleted', subject: c, rule: { external_id: 'c', version: 1 } },
    ]);
    expect((await put(next)).body).toEqual({ ...NOTHING, unchanged: [b, d, a] });
    expect(await traces()).toEqual(before);
    expect((await api.get(`${RULES}/${a}`)).body).toMatchObject({ threshold: 95, version: 2 });
    expect((await api.get(`${RULES}/${c}`)).status).toBe(404);
  });

  it('are stored as rules that are created one by one', async () => {
    const fields = { scope: { tags: { env: 'prod' } }, thresholds: null, threshold: 0, enabled: false };
    await api.call('POST', RULES, { body: named('one', fields) });
    await put({ rules: [named('two', fields)] });
    const [one, other] = await rules();
    const single = (await api.get(`${RULES}/${one?.id}`)).body;
    const stored = (await api.get(`${RULES}/${other?.id}`)).body;
    expect(stored).toEqual({ ...single, id: other?.id, external_id: 'two' });
    const columns = await api.sql`select name, enabled, metric, severity from alert_rules`;
    expect(columns[1]).toEqual(columns[0]);
    const { events } = await traces();
    expect(events[1]?.rule).toEqual({ ...events[0]?.rule, id: other?.id, external_id: 'two' });
  });

  it('never prune a rule without an external id, nor one of another organization', async () => {
    const mine = (await api.call('POST', RULES, { body: RULE })).body.id;
    const theirs = (await put(set(['a']), { key: 'stranger' })).body.created[0];
    const { created } = (await put(set(['a', 'b']))).body;
    expect(created).not.toContain(theirs);
    expect((await put({ rules: [], prune: true })).body).toEqual({ ...NOTHING, deleted: created });
    expect((await rules()).map(({ id }) => id)).toEqual([mine]);
    expect((await api.get(`${RULES}/${theirs}`, { key: 'stranger' })).status).toBe(200);
  });

  it('return the same in a dry run, which changes nothing', async () => {
    const [a, b] = (await put(set(['a', 'b']))).body.created;
    const before = [await traces(), await rules()];
    const next = { rules: [named('a', { threshold: 1 }), named('c')], prune: true };
    const dry = (await put({ ...next, dry_run: true })).body;
    expect(dry).toEqual({ created: [expect.any(String)], updated: [a], unchanged: [], deleted: [b] });
    expect([await traces(), await rules()]).toEqual(before);
    expect((await put(next)).body).toEqual({ ...dry, created: [expect.any(String)] });
  });

  it('are all or nothing, with the faults of every rule', async () => {
    await put(set(['a']));
    const before = [await traces(), await rules()];
    const bad = await put({
      rules: [named('b'), named('a', { threshold: 'x' }), RULE, named('b')],
      prune: 1,
    });
    expect([bad.status, paths(bad).sort()]).toEqual([
      422,
      [
        '/prune invalid_type',
        '/rules/1/threshold invalid_type',
        '/rules/2/external_id required',
        '/rules/3/external_id duplicate',
      ],
    ]);
    expect([await traces(), await rules()]).toEqual(before);
  });

  it('that arrive concurrently are applied one after the other', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({
      rules: ['a', 'b', `own-${index}`].map((each) => named(each, { threshold: index })),
      prune: true,
    }));
    const singles = Array.from({ length: 8 }, () => api.call('POST', RULES, { body: named('a') }));
    const answers = await Promise.all(bodies.map((body) => put(body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    for (const { status } of await Promise.all(singles)) expect([201, 409]).toContain(status);
    const left = await rules();
    expect(left).toHaveLength(3);
    expect(new Set(left.map(({ threshold }) => threshold)).size).toBe(1);
    expect(left.map(({ external_id }) => external_id)).toContain(`own-${left[0]?.threshold}`);
    const { events } = await traces();
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('rule.created') - count('rule.deleted')).toBe(3);
  });

  it('of a thousand rules are accepted, and larger ones are refused', async () => {
    const many = (length: number) => ({
      rules: Array.from({ length }, (_, index) => named(`r${index}`, { description: 'x'.repeat(200) })),
    });
    const { created } = (await put(many(1_000))).body;
    expect(created).toHaveLength(1_000);
    expect((await put(await exported(), { headers: YAML })).body).toEqual({ ...NOTHING, unchanged: created });
    expect(paths(await put(many(1_001)))).toEqual(['/rules too_many']);
    for (const headers of [{}, YAML])
      expect((await put(' '.repeat(1_100_000), { headers })).body.code).toBe('payload_too_large');
  });

  it.each(['yaml', 'json'])(
    'that are exported as %s can be applied again without a change',
    async (format) => {
      const { created } = (
        await put({
          rules: [
            named('team/one', { name: "one: 'quoted' # not a comment", description: ' two\nlines\n' }),
            named('team/two', {
              threshold: null,
              thresholds: [
                { severity: 'warning', threshold: 80, duration_minutes: 0 },
                { severity: 'critical', threshold: 95.5 },
              ],
              overrides: [{ match: { hosts: ['db-*'] }, enabled: false }],
              scope: { hosts: ['web-*'], tags: { region: ['eu-*', 'yes'] } },
              no_data: { policy: 'alert' },
            }),
          ],
        })
      ).body;
      const answer = await api.get(`${RULES}?format=${format}`);
      expect(answer.headers.get('content-type')).toBe(`application/${format}; charset=utf-8`);
      const headers = { 'Content-Type': `application/${format}` };
      expect((await put(answer.text, { headers })).body).toEqual({ ...NOTHING, unchanged: created });
      const elsewhere = await put(answer.text, { headers, key: 'stranger' });
      expect(elsewhere.body.created).toHaveLength(2);
      expect((await api.get(`${RULES}?format=${format}`, { key: 'stranger' })).text).toBe(answer.text);
    },
  );

  it('assign an external id to a rule identified by its id, once and without duplicating the rule', async () => {
    const { id } = (await api.call('POST', RULES, { body: RULE })).body;
    const text = await exported();
    expect(text).toContain(`external_id: ${id}\n`);
    expect((await put(text, { headers: YAML })).body).toEqual({ ...NOTHING, updated: [id] });
    expect((await put(text, { headers: YAML })).body).toEqual({ ...NOTHING, unchanged: [id] });
    expect(await rules()).toMatchObject([{ id, external_id: id, version: 2 }]);
    expect(await exported()).toBe(text.replace(/^#.*\n/gm, ''));
  });

  it('treat -0 as 0, so that it is no change', async () => {
    const text = JSON.stringify({ rules: [named('a', { threshold: 0 })] }).replace(':0', ':-0');
    const { created } = (await put(text)).body;
    expect((await put(text)).body).toEqual({ ...NOTHING, unchanged: created });
  });

  it.each<[string, string | undefined, string, number, string]>([
    ['YAML that is none', 'application/yaml', 'rules: [', 422, 'invalid_yaml'],
    ['YAML with a tag', 'application/yaml', 'rules: !!js/function x', 422, 'invalid_yaml'],
    ['YAML that is empty', 'application/yaml', ' \n', 422, 'empty_body'],
    ['YAML that is a text', 'application/yaml', 'rules', 422, 'invalid_type'],
    ['YAML that nests without end', 'application/yaml', '['.repeat(5_000), 422, 'too_deep'],
    ['JSON that is none', 'application/json', 'rules: []', 422, 'invalid_json'],
    ['another type', 'text/plain', '{"rules":[]}', 415, ''],
    ['YAML in another alphabet', 'application/yaml; charset=latin1', 'rules: []', 415, ''],
  ])('%s is refused', async (_name, type, body, status, code) => {
    const answer = await put(body, { headers: { 'Content-Type': type } });
    expect([answer.status, answer.body.errors[0]?.code ?? '']).toEqual([status, code]);
  });

  it('need the scope write, and no other parameters beside the format', async () => {
    expect((await put(set([]), { key: 'reader' })).status).toBe(403);
    expect((await api.call('POST', `${RULES}/starter`, { key: 'reader' })).status).toBe(403);
    expect((await api.get(`${RULES}?format=yaml`, { key: 'reader' })).status).toBe(200);
    expect(paths(await api.get(`${RULES}?format=toml`))).toEqual(['/format invalid_value']);
    expect(paths(await api.get(`${RULES}?format=yaml&limit=5`))).toEqual(['/limit not_allowed']);
    const { headers, status } = await api.call('PATCH', RULES, { body: {} });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT']);
  });

  it('are 409 for an external id that another rule has, until that rule is deleted', async () => {
    const one = (await api.call('POST', RULES, { body: named('a') })).body.id;
    const two = (await api.call('POST', RULES, { body: RULE })).body.id;
    const before = await traces();
    for (const answer of [
      await api.call('POST', RULES, { body: named('a') }),
      await api.call('PATCH', `${RULES}/${two}`, { body: { external_id: 'a', threshold: 1 } }),
    ])
      expect([answer.body.code, paths(answer)]).toEqual(['conflict', ['/external_id duplicate']]);
    expect(await traces()).toEqual(before);
    expect((await api.call('POST', RULES, { body: named('a'), key: 'stranger' })).status).toBe(201);
    expect(
      (await api.call('PATCH', `${RULES}/${one}`, { body: { external_id: 'a', threshold: 1 } })).status,
    ).toBe(200);
    await api.call('DELETE', `${RULES}/${one}`);
    expect((await api.call('PATCH', `${RULES}/${two}`, { body: { external_id: 'a' } })).status).toBe(200);
  });

  it('include the starter set, which keeps edited rules and installs deleted ones again', async () => {
    const first = await api.call('POST', `${RULES}/starter`);
    expect([first.status, first.body]).toEqual([200, { ...NOTHING, created: first.body.created }]);
    const ids: string[] = first.body.created;
    expect((await rules()).map(({ id, external_id }) => [id, external_id])).toEqual(
      STARTER_RULES.map((rule, index) => [ids[index], rule.external_id]),
    );
    const [edited, gone] = ids as [string, string];
    await api.call('PATCH', `${RULES}/${edited}`, { body: { threshold: 99, channels: ['slack'] } });
    await api.call('DELETE', `${RULES}/${gone}`);
    const again = (await api.call('POST', `${RULES}/starter`)).body;
    expect(again).toEqual({
      ...NOTHING,
      created: [expect.any(String)],
      unchanged: ids.filter((id) => id !== gone),
    });
    expect((await api.get(`${RULES}/${edited}`)).body).toMatchObject({ threshold: 99, version: 2 });
    const before = await traces();
    expect((await api.call('POST', `${RULES}/starter`)).body.created).toEqual([]);
    expect(await traces()).toEqual(before);
  });

  it('may name channels of their organization, and keep one that was deleted', async () => {
    const channel = (
      await api.call('POST', '/api/v1/channels', {
        body: { kind: 'email', name: 'mail', config: { to: ['a@example.com'] } },
      })
    ).body.id;
    const body = { rules: [named('a', { channels: [channel, 'slack'] })] };
    expect(paths(await put(body, { key: 'stranger' }))).toEqual(['/rules/0/channels/0 unknown_channel']);
    const { created } = (await put(body)).body;
    expect((await api.call('DELETE', `/api/v1/channels/${channel}`)).status).toBe(204);
    expect((await put(body)).body).toEqual({ ...NOTHING, unchanged: created });
  });

  it('treat an unknown id and one of another organization in the same way', async () => {
    const id = newId('rul');
    const { created } = (await put(set([id]))).body;
    expect(created[0]).not.toBe(id);
    expect((await put(set([id]), { key: 'stranger' })).body.created).toHaveLength(1);
  });
});
