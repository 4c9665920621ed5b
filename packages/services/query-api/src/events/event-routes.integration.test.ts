import { newId } from '@tidewatch/contracts/values/id';
import { transact } from '@tidewatch/database/connection';
import { type EventStream, openEventStream } from '@tidewatch/harness/event-stream';
import { openForFile } from '@tidewatch/harness/opened';
import { keyDigest } from '@tidewatch/runtime/auth/authentication';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { markPublished, numberEvents } from '@tidewatch/store/outbox/publish';
import { afterEach, expect, test } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const EVENTS = '/api/v1/events';

let opened: EventStream[] = [];
const api = await openForFile(openApi());
afterEach(async () => {
  for (const stream of opened) stream.close();
  opened = [];
  await expect.poll(() => metric('tidewatch_event_streams')).toBe(0);
});

async function follow(
  query = '',
  options: { key?: string; lastEventId?: string } = {},
): Promise<EventStream> {
  const stream = await openEventStream(`${api.url}${EVENTS}${query}`, { key: 'reader', ...options });
  opened.push(stream);
  return stream;
}

interface EmittedEvent {
  type?: string;
  organizationId?: string;
  data?: object;
}

/** Appends events and publishes them as the relay does; returns their ids. */
async function emit(...events: EmittedEvent[]): Promise<string[]> {
  const ids: string[] = [];
  const entries = events.map(({ type = 'rule.created', organizationId = api.organizationId, data = {} }) => {
    const id = newId('evt');
    ids.push(id);
    return { organizationId, event: { id, type, data } };
  });
  await appendEvents(api.sql, entries);
  await publish();
  return ids;
}

async function publish(): Promise<void> {
  await transact(api.sql, async (tx) => markPublished(tx, await numberEvents(tx, 1_000)));
}

async function metric(name: string): Promise<number> {
  const found = await api.metrics.registry.getSingleMetric(name)?.get();
  return (found?.values ?? []).reduce((sum, { value }) => sum + value, 0);
}

const idsOf = (stream: EventStream) => stream.events.map(({ id }) => id);

test('a stream of events sends later events as CloudEvents, each on one line', async () => {
  await emit({});
  const stream = await follow();
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(stream.headers).toMatchObject({
    'x-accel-buffering': 'no',
    'cache-control': 'no-store, no-transform',
  });
  const [first, second] = await emit({ data: { text: 'two\nlines' } }, { type: 'rule.deleted' });
  await expect.poll(() => idsOf(stream)).toEqual([first, second]);
  expect(stream.events).toMatchObject([
    { event: 'rule.created', data: { id: first, type: 'rule.created', data: { text: 'two\nlines' } } },
    { event: 'rule.deleted', data: { id: second } },
  ]);
  expect(stream.retryMs()).toBe(2_000);
});

test('a client that reconnects gets all missed events once and in order, and then new ones', async () => {
  const before = await follow();
  const [seen] = await emit({});
  await expect.poll(() => idsOf(before)).toEqual([seen]);
  before.close();
  const missed = await emit(...Array.from({ length: 600 }, () => ({})));
  const after = await follow('', { lastEventId: before.lastId() });
  await expect.poll(() => after.events.length).toBe(600);
  const news = await emit({}, {});
  await expect.poll(() => after.events.length).toBe(602);
  expect(idsOf(after)).toEqual([...missed, ...news]);
});

test('clients that connect during many events miss none and receive none twice', async () => {
  const [mark] = await emit({});
  const emitted: string[] = [];
  let emitting = true;
  const teller = (async () => {
    while (emitting) emitted.push(...(await emit({}, {}, {})));
  })();
  const streams: EventStream[] = [];
  for (let reader = 0; reader < 4; reader += 1)
    streams.push(await follow('', { lastEventId: mark as string }));
  await expect.poll(() => emitted.length).toBeGreaterThan(60);
  emitting = false;
  await teller;
  for (const stream of streams) await expect.poll(() => idsOf(stream)).toEqual(emitted);
});

test('a client whose first connection broke before any event can resume', async () => {
  const first = await follow();
  await expect.poll(() => first.retryMs()).not.toBeNull();
  first.close();
  const [missed] = await emit({});
  const again = await follow('', { lastEventId: first.lastId() });
  await expect.poll(() => idsOf(again)).toEqual([missed]);
});

test('keep-alives advance the position to resume from past events that the filter excludes', async () => {
  const stream = await follow('?types=rule.deleted');
  const [, hidden] = await emit({}, {});
  await expect.poll(() => stream.lastId()).toBe(hidden);
  expect([stream.events, stream.comments() > 0]).toEqual([[], true]);
});

test.each([
  ['an id that nobody had', () => newId('evt'), 'unknown_id'],
  ['what is no id', () => 'yesterday', 'unknown_id'],
])('%s answers one reset, and what is new follows', async (_, id, reason) => {
  const [newest] = await emit({});
  const stream = await follow('', { lastEventId: id() });
  await expect.poll(() => stream.events.length).toBe(1);
  expect(stream.events).toMatchObject([{ event: 'reset', id: newest, data: { type: 'reset', reason } }]);
  const [next] = await emit({});
  await expect.poll(() => idsOf(stream)).toEqual([newest, next]);
});

test('an event id is too old to resume from once the next event is older than 24 hours', async () => {
  const ids = await emit({}, {}, {});
  const age = (id: string | undefined) =>
    api.sql`update outbox set published_at = ${api.clock.now - 25 * 3_600_000} where event ->> 'id' = ${id as string}`;
  await age(ids[0]);
  const resumed = await follow('', { lastEventId: ids[0] as string });
  await expect.poll(() => idsOf(resumed)).toEqual(ids.slice(1));
  await age(ids[1]);
  const late = await follow('', { lastEventId: ids[0] as string });
  await expect.poll(() => late.events).toMatchObject([{ event: 'reset', data: { reason: 'too_old' } }]);
});

test('a stream of events can be filtered by type, severity, service and host', async () => {
  const alert = (host: string, severity: string) => ({
    type: 'alert.fired',
    data: { alert: { host, severity, service_id: `svc_of_${host}` } },
  });
  const investigation = { host: 'web-01', severity: 'critical', service_id: 'svc_of_web-01' };
  const streams = {
    types: await follow('?types=alert.fired,service.offline'),
    critical: await follow('?severity=critical'),
    service: await follow('?service_id=svc_of_web-01'),
    host: await follow('?host=web-*&types=alert.fired'),
  };
  const [fired, other, offline, created, completed] = await emit(
    alert('web-01', 'critical'),
    alert('db-01', 'warning'),
    { type: 'service.offline', data: { service: { id: 'svc_of_web-01', host: 'web-01' } } },
    { data: { rule: { severity: 'critical' } } },
    { type: 'investigation.completed', data: { investigation } },
  );
  await expect.poll(() => idsOf(streams.types)).toEqual([fired, other, offline]);
  await expect.poll(() => idsOf(streams.critical)).toEqual([fired, created, completed]);
  await expect.poll(() => idsOf(streams.service)).toEqual([fired, offline, completed]);
  await expect.poll(() => idsOf(streams.host)).toEqual([fired]);
});

test('an organization sees nothing of another, and cannot resume from its events', async () => {
  const [mine] = await emit({});
  const [theirs] = await api.sql`select id from organizations where name = 'theirs'`;
  const [reader, stranger] = [
    await follow(),
    await follow('', { key: 'stranger', lastEventId: mine as string }),
  ];
  await expect
    .poll(() => stranger.events)
    .toMatchObject([{ event: 'reset', data: { reason: 'unknown_id' } }]);
  const [emitted, foreign] = await emit({}, { organizationId: theirs?.id });
  await expect.poll(() => idsOf(reader)).toEqual([emitted]);
  await expect.poll(() => idsOf(stranger).at(-1)).toBe(foreign);
  expect(stranger.events).toHaveLength(2);
});

test('a client that does not read is disconnected, and the others get all events', async () => {
  const [slow, quick] = [await follow(), await follow()];
  slow.pause();
  const emitted: string[] = [];
  const text = 'x'.repeat(50_000);
  await expect
    .poll(
      async () => {
        emitted.push(...(await emit(...Array.from({ length: 20 }, () => ({ data: { text } })))));
        return metric('tidewatch_event_streams_dropped_total');
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await expect.poll(() => idsOf(quick)).toEqual(emitted);
  expect(quick.ended()).toBe(false);
  slow.resume();
  await expect.poll(() => slow.ended()).toBe(true);
  // The disconnected client loses nothing: it reconnects and continues from its position.
  const again = await follow('', { lastEventId: slow.lastId() });
  await expect.poll(() => [...idsOf(slow), ...idsOf(again)]).toEqual(emitted);
});

test('the number of streams is limited for each key, each organization and the process', async () => {
  for (let stream = 0; stream < 4; stream += 1) expect((await follow()).status).toBe(200);
  const refused = await api.get(EVENTS, { key: 'reader' });
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    ...[429, 'too_many_streams', '10'],
  ]);
  expect(refused.body.detail).toContain('The key has 4 event streams');
  expect((await follow('', { key: 'admin' })).status).toBe(200);
  const full = await api.get(EVENTS);
  expect([full.body.code, full.body.detail]).toEqual([
    ...['too_many_streams', expect.stringContaining('The organization has 5 event streams')],
  ]);
  expect((await follow('', { key: 'stranger' })).status).toBe(200);
  expect((await api.get(EVENTS, { key: 'stranger' })).body).toMatchObject({
    status: 503,
    code: 'streams_full',
  });
});

test('a stream ends once its key is revoked', async () => {
  const digest = keyDigest('short-lived');
  const key = api.keys.get(keyDigest('reader'));
  if (key === undefined) throw new Error('there is no reader');
  api.keys.set(digest, { ...key, id: newId('key') });
  const [lasting, stream] = [await follow(), await follow('', { key: 'short-lived' })];
  api.keys.set(digest, { ...key, revokedAt: api.clock.now });
  api.clock.now += 10_000;
  await expect.poll(() => stream.ended()).toBe(true);
  expect(lasting.ended()).toBe(false);
  expect((await follow('', { key: 'short-lived' })).status).toBe(401);
});

test('a stream with unknown parameters is refused before anything is sent', async () => {
  const problems = await Promise.all([
    api.get(`${EVENTS}?types=rule.painted`),
    api.get(`${EVENTS}?severity=grave`),
    api.get(EVENTS, { key: 'agent' }),
    api.get(EVENTS, { headers: { Accept: 'application/json' } }),
    api.get(EVENTS, { key: null }),
  ]);
  expect(problems.map(({ body }) => [body.code, body.errors?.[0]?.path])).toEqual([
    ...[
      ['validation_failed', '/types'],
      ['validation_failed', '/severity'],
    ],
    ...[
      ['scope_missing', undefined],
      ['not_acceptable', undefined],
      ['key_missing', undefined],
    ],
  ]);
  const head = await api.call('HEAD', EVENTS);
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

test('a process that stops asks every client to reconnect after a delay', async () => {
  const stream = await follow();
  await expect.poll(() => stream.retryMs()).toBe(2_000);
  await api.events.stop();
  await expect.poll(() => stream.ended()).toBe(true);
  expect(stream.retryMs()).not.toBe(2_000);
  expect((await api.get(EVENTS)).body).toMatchObject({ status: 503, code: 'shutting_down' });
  api.events.start();
});
