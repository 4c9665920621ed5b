import { type EventStream, openEventStream } from '@tidewatch/harness/event-stream';
import { afterEach, expect, test } from 'vitest';
import { createRule, SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

let opened: EventStream[] = [];
const { target, client } = await openScenario();
afterEach(() => {
  for (const stream of opened) stream.close();
  opened = [];
});

async function follow(query = '', lastEventId?: string): Promise<EventStream> {
  const more = lastEventId === undefined ? {} : { lastEventId };
  const stream = await openEventStream(`${target.url}/api/v1/events${query}`, { key: target.key, ...more });
  expect(stream.status).toBe(200);
  opened.push(stream);
  return stream;
}

const makeRule = (fields: object = {}) => {
  const name = uniqueName('streamed').replaceAll('-', '_');
  return createRule(client, { name, metric: name, ...fields });
};

/** The subjects of a stream's events about the given objects, because other tests may share the target. */
const subjects = (stream: EventStream, of: { id: string }[]) =>
  stream.events.map(({ data }) => data.subject).filter((id) => of.some((object) => object.id === id));

test('a client receives events, reconnects with its last id, and neither misses nor repeats one', async () => {
  const first = await follow();
  const one = await makeRule();
  await expect.poll(() => subjects(first, [one]), SEEN).toEqual([one.id]);
  const [seen] = first.events.filter(({ data }) => data.subject === one.id);
  expect(seen).toMatchObject({
    event: 'rule.created',
    data: { specversion: '1.0', id: seen?.id, type: 'rule.created', data: { rule: { name: one.name } } },
  });
  first.close();
  const [two, three] = [await makeRule(), await makeRule()];
  const again = await follow('', seen?.id as string);
  const all = [one, two, three];
  await expect.poll(() => subjects(again, all), SEEN).toEqual([two.id, three.id]);
  const four = await makeRule();
  await expect.poll(() => subjects(again, [...all, four]), SEEN).toEqual([two.id, three.id, four.id]);
});

test('a stream with filters has only the matching events', async () => {
  const rule = await makeRule({ severity: 'critical' });
  const host = uniqueName('streamed-host');
  const streams = {
    alerts: await follow(`?types=alert.fired&host=${host}`),
    host: await follow(`?host=${host.slice(0, -2)}*`),
    mild: await follow(`?severity=info,warning&host=${host}`),
  };
  await client.ingest({ host, timestamp: seconds(0), metrics: { [rule.metric]: 95 } });
  await expect.poll(() => streams.alerts.events.map(({ event }) => event), SEEN).toEqual(['alert.fired']);
  const service = await serviceOf(client, host);
  const ofService = await follow(`?service_id=${service.id}`);
  await client.ingest({ host, timestamp: seconds(1), metrics: { [rule.metric]: 5 } });
  await expect.poll(() => ofService.events.map(({ event }) => event), SEEN).toContain('alert.resolved');
  const typesOf = (stream: typeof streams.host) => stream.events.map(({ event }) => event);
  // Polls, because events of the alert's investigation are emitted later.
  await expect
    .poll(() => typesOf(streams.host).filter((event) => !event.startsWith('investigation.')), SEEN)
    .toEqual(['service.registered', 'alert.fired', 'alert.resolved']);
  await expect.poll(() => typesOf(streams.host), SEEN).toContain('investigation.completed');
  expect(streams.mild.events).toEqual([]);
  expect(streams.alerts.events).toHaveLength(1);
});

test('a stream that cannot be resumed begins with one reset event, and unknown types are refused', async () => {
  const stream = await follow('', `evt_${'0'.repeat(32)}`);
  await expect
    .poll(() => stream.events, SEEN)
    .toMatchObject([{ event: 'reset', data: { reason: 'unknown_id' } }]);
  const answer = await client.ask('GET', '/events?types=rule.painted');
  expect([answer.status, answer.body.errors[0].path]).toEqual([422, '/types']);
});
