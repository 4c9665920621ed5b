import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createTidewatchClient } from './client.ts';
import { type EventsOptions, events, type StreamItem } from './events.ts';
import { type Asked, type FakeService, fakeService, problem } from './testing/fake-service.ts';

let service: FakeService | undefined;
afterEach(() => service?.close());

/** Answers a stream with this text, and leaves it open unless told otherwise. */
const stream =
  (text: string, end = false) =>
  (_request: Asked, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(text);
    if (end) response.end();
  };

const event = (id: string) =>
  `id: ${id}\nevent: alert.fired\ndata: ${JSON.stringify({ id, type: 'alert.fired' })}\n\n`;

/** Reads until so many items came; an event is told by its id. */
async function read(count: number, options: EventsOptions = {}): Promise<string[]> {
  const client = createTidewatchClient({ url: service?.url ?? '', key: 'tw_key' });
  const stop = new AbortController();
  const told: string[] = [];
  for await (const item of events(client, { random: () => 0, ...options, signal: stop.signal })) {
    told.push(nameOf(item));
    if (told.length === count) stop.abort();
  }
  return told;
}

const nameOf = (item: StreamItem) => (item.kind === 'event' ? item.event.id : item.kind);

it('follows the events and ends with its signal', async () => {
  service = await fakeService(stream(`: hello\n\n${event('evt_1')}${event('evt_2')}`));
  expect(await read(3, { query: { types: 'alert.fired' } })).toEqual(['open', 'evt_1', 'evt_2']);
  expect(service.asked[0]).toMatchObject({ path: '/api/v1/events?types=alert.fired' });
  expect(service.asked[0]?.headers).toMatchObject({ 'x-api-key': 'tw_key', accept: 'text/event-stream' });
});

it('goes on after the last event when the connection is lost', async () => {
  service = await fakeService(
    stream(`retry: 5\n\n${event('evt_1')}`, true),
    problem(503, 'shutting_down'),
    (_request, response) => response.destroy(),
    stream(event('evt_2')),
  );
  expect(await read(4)).toEqual(['open', 'evt_1', 'open', 'evt_2']);
  expect(service.asked.map(({ headers }) => headers['last-event-id'])).toEqual([
    undefined,
    'evt_1',
    'evt_1',
    'evt_1',
  ]);
});

it('begins after the event that it is told', async () => {
  service = await fakeService(stream(event('evt_8')));
  await read(2, { after: 'evt_7' });
  expect(service.asked[0]?.headers['last-event-id']).toBe('evt_7');
});

it('goes on after the place that the service named last, be there no event', async () => {
  service = await fakeService(stream(': so far\nid: evt_5\n\n', true), stream(event('evt_6')));
  expect(await read(3)).toEqual(['open', 'open', 'evt_6']);
  expect(service.asked[1]?.headers['last-event-id']).toBe('evt_5');
});

it('says when events may have been missed', async () => {
  service = await fakeService(stream(': nothing yet\n\n', true), stream('event: reset\ndata: {}\n\n'));
  expect(await read(4)).toEqual(['open', 'reset', 'open', 'reset']);
});

it('takes a silent connection for dead', async () => {
  service = await fakeService(stream(''), stream(event('evt_1')));
  expect(await read(4, { silenceMs: 100 })).toEqual(['open', 'reset', 'open', 'evt_1']);
});

it('ends with what the service refuses for good', async () => {
  service = await fakeService(problem(401, 'key_revoked'));
  await expect(read(1)).rejects.toMatchObject({ status: 401, code: 'key_revoked' });
});
