import { newId } from '@tidewatch/contracts/values/id';
import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { ROUTING_KEY, startPagerduty } from '@tidewatch/destinations/testing/pagerduty-stand-in';
import { openForFile } from '@tidewatch/harness/opened';
import { readDestination } from '@tidewatch/store/channels/read';
import { secretKeyProbe } from '@tidewatch/store/channels/secret-key-probe';
import { createSecretBox, SecretKeyError } from '@tidewatch/store/secrets/secret-box';
import { afterEach, describe, expect, it } from 'vitest';
import { type Body, openApi, SECRET_KEY } from '../testing/query-api.harness.ts';

const CHANNELS = '/api/v1/channels';
const RULES = '/api/v1/alerts/rules';
const URL_OF_SLACK = 'https://hooks.slack.com/services/T000/B000/verysecretpart';

const api = await openForFile(openApi());

describe('channels', () => {
  const receivers: HttpReceiver[] = [];

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
    for (const { id } of (await api.get(`${CHANNELS}?limit=100`)).body.channels)
      await api.call('DELETE', `${CHANNELS}/${id}`);
  });

  const create = async (kind: string, config: object, more: object = {}): Promise<Body> => {
    const answer = await api.call('POST', CHANNELS, { body: { kind, name: kind, config, ...more } });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const slack = (more: object = {}) => create('slack', { webhook_url: URL_OF_SLACK }, more);
  const read = async (id: string) => (await api.get(`${CHANNELS}/${id}`)).body;
  const stored = (id: string, key: Uint8Array = SECRET_KEY) =>
    readDestination(api.sql, createSecretBox(key), api.organizationId, id);
  const rule = { name: 'CPU', metric: 'host.silent_minutes', condition: 'greater_than', threshold: 90 };

  it('are created, read, changed and deleted, and each change emits an event', async () => {
    const created = await api.call('POST', CHANNELS, {
      body: { kind: 'slack', name: 'on call', config: { webhook_url: URL_OF_SLACK } },
    });
    const path = `${CHANNELS}/${created.body.id}`;
    expect([created.status, created.headers.get('location')]).toEqual([201, path]);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^chn_[0-9a-f]{32}$/),
      kind: 'slack',
      name: 'on call',
      is_default: true,
      enabled: true,
      config: { webhook_url: 'https://hooks.slack.com/…part' },
      version: 1,
      last_delivery: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      warnings: [],
    });
    expect((await api.get(path)).body).toEqual(created.body);
    const changed = await api.call('PATCH', path, { body: { name: 'others', config: created.body.config } });
    expect(changed.body).toMatchObject({ name: 'others', version: 2 });
    expect((await api.call('PATCH', path, { body: { name: 'others' } })).body.version).toBe(2);
    expect((await api.call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE', 'PATCH'] as const)
      expect((await api.call(method, path, method === 'PATCH' ? { body: {} } : {})).status).toBe(404);
    const events = await api.sql`
      select event ->> 'type' as type, event -> 'data' as data from outbox where event ->> 'subject' = ${created.body.id}
      order by id`;
    expect(events.map(({ type }) => type)).toEqual(['channel.created', 'channel.updated', 'channel.deleted']);
    expect(JSON.stringify(events)).not.toContain('hooks.slack.com');
  });

  it('hide their secrets from every reader, and from the database', async () => {
    const created = await slack();
    for (const path of [`${CHANNELS}/${created.id}`, CHANNELS])
      expect((await api.get(path, { key: 'reader' })).text).not.toContain('verysecretpart');
    const [row] = await api.sql`select c::text as text, sealed from channels c where id = ${created.id}`;
    expect(row?.text).not.toContain('verysecretpart');
    expect(Buffer.from(row?.sealed).toString('latin1')).not.toContain('verysecretpart');
    expect(await stored(created.id)).toMatchObject({ config: { webhook_url: URL_OF_SLACK } });
    await api.call('DELETE', `${CHANNELS}/${created.id}`);
    const [gone] = await api.sql`select sealed, nonce, key_id from channels where id = ${created.id}`;
    expect(gone).toEqual({ sealed: null, nonce: null, key_id: null });
  });

  it('show a generated secret once', async () => {
    const created = await create('webhook', { url: 'https://example.com/hooks/tidewatch' });
    expect(created.config.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await read(created.id)).config.secret).toBe(`…${created.config.secret.slice(-4)}`);
    const body = { config: { secret: null } };
    const rotated = (await api.call('PATCH', `${CHANNELS}/${created.id}`, { body })).body;
    expect(rotated.config.secret).not.toBe(created.config.secret);
    expect(await stored(created.id)).toMatchObject({ config: { secret: rotated.config.secret } });
  });

  it('have one default of each kind: at first the oldest, then the one that is chosen', async () => {
    const [first, second, mail] = [
      await slack(),
      await slack(),
      await create('email', { to: ['a@example.com'] }),
    ];
    expect([first, second, mail].map((each) => each.is_default)).toEqual([true, false, true]);
    await api.call('PATCH', `${CHANNELS}/${second.id}`, { body: { is_default: true } });
    expect(await read(first.id)).toMatchObject({ is_default: false, version: 2 });
    expect((await read(second.id)).is_default).toBe(true);
    const third = await slack({ is_default: true });
    expect((await read(second.id)).is_default).toBe(false);
    await api.call('DELETE', `${CHANNELS}/${third.id}`);
    expect((await read(first.id)).is_default).toBe(false);
    expect((await slack()).is_default).toBe(true);
  });

  it('have one default of a kind after concurrent creations', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => slack({ is_default: i % 2 === 0 })));
    const { channels } = (await api.get(`${CHANNELS}?limit=100`)).body;
    expect(channels.filter((each: Body) => each.is_default)).toHaveLength(1);
  });

  it.each(['PATCH', 'DELETE'])(
    'make their waiting notifications due at once after a %s, whatever failed before',
    async (method) => {
      const [{ id }, other] = [await slack(), await slack()];
      const later = new Date(Date.now() + 3_600_000);
      for (const channel of [id, other.id]) {
        await api.sql`
        insert into destination_paces (organization_id, channel, tokens, refilled_at, failures, open_until, paused_until)
        values (${api.organizationId}, ${channel}, 1, now(), 7, ${later}, ${later})`;
        for (const attempting of [false, true])
          await api.sql`
          insert into notifications (organization_id, id, event_id, rule_id, transition, direction, channel, channel_kind, channel_id,
            channel_name, status, next_attempt_at, give_up_at, attempting, created_at)
          values (${api.organizationId}, ${newId('ntf')}, ${newId('evt')}, ${newId('rul')}, 'fired', 'opening', ${channel},
            'slack', ${channel}, 'slack', 'queued', ${later}, ${later}, ${attempting}, now())`;
      }
      const waiting = (channel: string) =>
        api.sql`select attempting, next_attempt_at > now() as later from notifications where channel = ${channel} order by 1`;
      const pace = (channel: string) =>
        api.sql`select failures, open_until is null and paused_until is null as free from destination_paces where channel = ${channel}`;
      const change = method === 'PATCH' ? { body: { name: 'mended' } } : {};
      expect((await api.call(method, `${CHANNELS}/${id}`, change)).status).toBeLessThan(300);
      expect(await waiting(id)).toEqual([
        { attempting: false, later: false },
        { attempting: true, later: true },
      ]);
      expect(await pace(id)).toEqual([{ failures: 0, free: true }]);
      expect(await waiting(other.id)).toEqual([
        { attempting: false, later: true },
        { attempting: true, later: true },
      ]);
      expect(await pace(other.id)).toEqual([{ failures: 7, free: false }]);
    },
  );

  it('have an entity tag that changes with each version', async () => {
    const { id } = await slack();
    const path = `${CHANNELS}/${id}`;
    const tag = (await api.get(path)).headers.get('etag') as string;
    expect((await api.get(path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const change = { body: { enabled: false }, headers: { 'If-Match': tag } };
    expect((await api.call('PATCH', path, change)).status).toBe(200);
    expect((await api.call('PATCH', path, change)).body.code).toBe('precondition_failed');
    expect((await api.call('DELETE', path, { headers: { 'If-Match': tag } })).status).toBe(412);
  });

  it('are listed by creation, by cursor and by offset', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      api.clock.now += i % 2;
      made.push((await slack()).id);
    }
    for (const by of ['offset', 'cursor'] as const)
      expect((await api.walk(CHANNELS, 'channels', by, 2)).seen.map(({ id }) => id)).toEqual(made);
  });

  it('are hidden from other organizations, and are written only with the scope write', async () => {
    const { id } = await slack();
    expect((await api.get(`${CHANNELS}/${id}`, { key: 'stranger' })).status).toBe(404);
    expect((await api.call('POST', `${CHANNELS}/${id}/test`, { key: 'stranger' })).status).toBe(404);
    expect((await api.get(CHANNELS, { key: 'stranger' })).body.pagination.total).toBe(0);
    expect((await api.call('POST', CHANNELS, { key: 'reader', body: {} })).status).toBe(403);
    expect((await api.get(CHANNELS, { key: 'agent' })).status).toBe(403);
  });

  it('of the kind email have a warning in every response while no mail server is configured', async () => {
    const warnings = [
      { code: 'mail_server_not_configured', message: expect.stringContaining('TIDEWATCH_EMAIL_SMTP_URL') },
    ];
    const created = await create('email', { to: ['oncall@example.com'] });
    const path = `${CHANNELS}/${created.id}`;
    const renamed = await api.call('PATCH', path, { body: { name: 'night' } });
    const { body: list } = await api.get(`${CHANNELS}?fields=id,warnings`);
    expect([created.warnings, renamed.body.warnings]).toEqual([warnings, warnings]);
    expect((await read(created.id)).warnings).toEqual(warnings);
    expect(list.channels).toEqual([{ id: created.id, warnings }]);
    const { body: audit } = await api.get(`/api/v1/audit?type=channel`);
    expect(JSON.stringify(audit)).not.toContain('mail_server_not_configured');
  });

  it('are refused with all faults at once, and nothing is stored', async () => {
    const body = { kind: 'webhook', name: '', config: { url: 'x', secret: 'y' }, id: 1 };
    const { status: code, body: problem } = await api.call('POST', CHANNELS, { body });
    const paths = problem.errors.map(({ path }: Body) => path);
    expect([code, paths]).toEqual([422, ['/name', '/id', '/config/url', '/config/secret']]);
    expect((await api.get(CHANNELS)).body.pagination.total).toBe(0);
  });

  it('a private address that is not allowed is refused at once, by the name of its field, on create and change', async () => {
    const config = { webhook_url: 'http://10.0.0.1/hook' };
    const made = await api.call('POST', CHANNELS, { body: { kind: 'slack', name: 'inner', config } });
    expect([made.status, made.body.errors?.[0]?.path]).toEqual([422, '/config/webhook_url']);
    const { id } = await slack();
    const changed = await api.call('PATCH', `${CHANNELS}/${id}`, { body: { config } });
    expect([changed.status, changed.body.errors?.[0]?.code]).toEqual([422, 'private_destination']);
  });

  describe('rules', () => {
    it('may name channels of the organization, and get a warning if nobody would be notified', async () => {
      const mine = await slack();
      const made = await api.call('POST', RULES, { body: { ...rule, channels: [mine.id, 'slack'] } });
      expect([made.status, made.body.warnings]).toEqual([201, []]);
      const path = `${RULES}/${made.body.id}`;
      await api.call('PATCH', `${CHANNELS}/${mine.id}`, { body: { enabled: false } });
      expect((await api.get(path)).body.warnings).toMatchObject([
        { code: 'channel_not_configured' },
        { code: 'channel_not_configured' },
      ]);
      await api.call('DELETE', `${CHANNELS}/${mine.id}`);
      expect((await api.get(path)).body.warnings).toHaveLength(2);
      const listed = (await api.get(`${RULES}?limit=100`)).body.rules.find(
        ({ id }: Body) => id === made.body.id,
      );
      expect(listed.warnings).toHaveLength(2);
      const renamed = await api.call('PATCH', path, { body: { name: 'still editable' } });
      expect([renamed.status, renamed.body.channels]).toEqual([200, [mine.id, 'slack']]);
      expect((await api.call('POST', RULES, { body: { ...rule, channels: [mine.id] } })).status).toBe(422);
    });

    it('get a warning if they name default channels that do not exist, or no channel', async () => {
      const warningsOf = async (channels: string[]) =>
        (await api.call('POST', RULES, { body: { ...rule, channels } })).body.warnings;
      expect(await warningsOf([])).toMatchObject([{ code: 'notifies_nobody' }]);
      expect(await warningsOf(['default'])).toMatchObject([
        { code: 'channel_not_configured', message: expect.stringContaining('No default channel') },
      ]);
      await slack();
      expect(await warningsOf(['default'])).toEqual([]);
    });

    it('may not name channels of another organization', async () => {
      const mine = await slack();
      for (const [key, channel] of [
        ['stranger', mine.id],
        ['admin', newId('chn')],
      ] as const) {
        const answer = await api.call('POST', RULES, { key, body: { ...rule, channels: [channel] } });
        expect([answer.status, answer.body.errors?.[0]]).toMatchObject([
          422,
          { path: '/channels/0', code: 'unknown_channel' },
        ]);
      }
    });
  });

  describe('a test', () => {
    it('sends a signed test event, and is stored as the last delivery', async () => {
      const receiver = await startHttpReceiver(status(204));
      receivers.push(receiver);
      const { id } = await create('webhook', { url: receiver.url('/hook') }, { enabled: false });
      const answer = await api.call('POST', `${CHANNELS}/${id}/test`);
      expect(answer.body).toEqual({ status: 'delivered', error: null, duration_ms: expect.any(Number) });
      expect(receiver.got[0]?.headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) });
      expect(JSON.parse(receiver.got[0]?.body ?? '').data.rule.name).toBe('Test of the channel webhook');
      expect((await read(id)).last_delivery).toMatchObject({ status: 'delivered', error: null });
    });

    it('states why it failed', async () => {
      const receiver = await startHttpReceiver(status(410));
      receivers.push(receiver);
      const { id } = await create('webhook', { url: receiver.url('/hook') });
      const answer = await api.call('POST', `${CHANNELS}/${id}/test`);
      expect(answer.body).toMatchObject({ status: 'failed', error: 'answered 410' });
      expect((await read(id)).last_delivery).toMatchObject({ status: 'failed', error: 'answered 410' });
      const { audit } = (await api.get(`/api/v1/audit?object_id=${id}&action=channel.tested`)).body;
      expect(audit).toMatchObject([{ before: null, after: { status: 'failed', error: 'answered 410' } }]);
    });

    it('resolves the incident that it opened at PagerDuty', async () => {
      const pagerduty = await startPagerduty();
      receivers.push(pagerduty);
      const { id } = await create('pagerduty', {
        routing_key: ROUTING_KEY,
        api_url: pagerduty.url('/v2/enqueue'),
      });
      expect((await api.call('POST', `${CHANNELS}/${id}/test`)).body.status).toBe('delivered');
      expect([...pagerduty.incidents.values()].map(({ open }) => open)).toEqual([false]);
    });
  });

  describe('channels whose secrets were encrypted with another key', () => {
    it('send nothing, and can be read', async () => {
      const { id } = await slack();
      const other = createSecretBox(Buffer.alloc(32, 'x'));
      await expect(stored(id, Buffer.alloc(32, 'x'))).rejects.toThrow(SecretKeyError);
      expect(await secretKeyProbe(api.sql, other)()).toEqual([expect.stringContaining('1 channels')]);
      expect(await secretKeyProbe(api.sql, createSecretBox(SECRET_KEY))()).toEqual([]);
      await api.sql`update channels set key_id = 'another' where id = ${id}`;
      expect((await api.get(`${CHANNELS}/${id}`)).status).toBe(200);
      for (const [method, path, body] of [
        ['POST', `${CHANNELS}/${id}/test`, undefined],
        ['PATCH', `${CHANNELS}/${id}`, { name: 'x' }],
      ] as const) {
        const answer = await api.call(method, path, { body });
        expect([answer.status, answer.body.code]).toEqual([503, 'secrets_unreadable']);
      }
    });

    it('cannot decrypt a secret that was encrypted for another channel', async () => {
      const [one, other] = [await slack(), await slack()];
      await api.sql`update channels t set sealed = f.sealed, nonce = f.nonce from channels f
        where t.id = ${other.id} and f.id = ${one.id}`;
      await expect(stored(other.id)).rejects.toThrow(SecretKeyError);
      expect(await stored(one.id)).not.toBeNull();
    });
  });
});
