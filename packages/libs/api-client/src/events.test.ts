import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createTidewatchClient } from './client.ts';
import { type EventsOptions, type EventsWatcher, events, type StreamItem } from './events.ts';
import { type Asked, type FakeService, fakeService, problem } from './testing/fake-service.ts';

/** Answers a stream with this text, and leaves it open unless `end` is set. */
const stream =
  (text: string, end = false) =>
  (_request: Asked, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(text);
    if (end) response.end();
  };

const event = (id: string) =>
  `id: ${id}\nevent: alert.fired\ndata: ${JSON.stringify({ id, type: 'alert.fired' })}\n\n`;

/** Reads until `count` items have arrived; returns them, events by their id. */
async function read({ url }: FakeService, count: number, options: EventsOptions = {}): Promise<string[]> {
  const client = createTidewatchClient({ url, key: 'tw_key' });
  const stop = new AbortController();
  const names: string[] = [];
  for await (const item of events(client, { random: () => 0, ...options, signal: stop.signal })) {
    names.push(nameOf(item));
    if (names.length === count) stop.abort();
  }
  return names;
}

const nameOf = (item: StreamItem) => (item.kind === 'event' ? item.event.id : item.kind);

it('yields events as they come, until its signal is aborted', async () => {
  const service = await fakeService(stream(`: hello\n\n${event('evt_1')}${event('evt_2')}`));
  expect(await read(service, 3, { query: { types: 'alert.fired' } })).toEqual(['open', 'evt_1', 'evt_2']);
  expect(service.asked[0]).toMatchObject({ path: '/api/v1/events?types=alert.fired' });
  expect(service.asked[0]?.headers).toMatchObject({ 'x-api-key': 'tw_key', accept: 'text/event-stream' });
});

it('reconnects after the last event when the connection is lost', async () => {
  const service = await fakeService(
    stream(`retry: 5\n\n${event('evt_1')}`, true),
    problem(503, 'shutting_down'),
    (_request, response) => response.destroy(),
    stream(event('evt_2')),
  );
  expect(await read(service, 4)).toEqual(['open', 'evt_1', 'open', 'evt_2']);
  expect(service.asked.map(({ headers }) => headers['last-event-id'])).toEqual([
    undefined,
    'evt_1',
    'evt_1',
    'evt_1',
  ]);
});

it('begins after the event whose id is given', async () => {
  const service = await fakeService(stream(event('evt_8')));
  await read(service, 2, { after: 'evt_7' });
  expect(service.asked[0]?.headers['last-event-id']).toBe('evt_7');
});

it('reconnects after the last position that the server sent, even one without an event', async () => {
  const service = await fakeService(stream(': so far\nid: evt_5\n\n', true), stream(event('evt_6')));
  expect(await read(service, 3)).toEqual(['open', 'open', 'evt_6']);
  expect(service.asked[1]?.headers['last-event-id']).toBe('evt_5');
});

it('yields a gap when events may have been missed', async () => {
  const service = await fakeService(stream(': nothing yet\n\n', true), stream('event: reset\ndata: {}\n\n'));
  expect(await read(service, 4)).toEqual(['open', 'reset', 'open', 'reset']);
});

it('reconnects when nothing was received for the timeout', async () => {
  const service = await fakeService(stream(''), stream(event('evt_1')));
  expect(await read(service, 4, { silenceMs: 1_000 })).toEqual(['open', 'reset', 'open', 'evt_1']);
});

it('throws when the server refuses a stream permanently', async () => {
  const service = await fakeService(problem(401, 'key_revoked'));
  await expect(read(service, 1)).rejects.toMatchObject({ status: 401, code: 'key_revoked' });
});

it('reports bytes, positions and losses to its watcher', async () => {
  const service = await fakeService(
    stream(`retry: 5\n\nid: evt_0\n\n${event('evt_1')}`, true),
    problem(503, 'shutting_down'),
    stream(': nothing yet\n\n'),
  );
  const seen: string[] = [];
  const watcher: EventsWatcher = {
    received: () => {
      if (seen.at(-1) !== 'received') seen.push('received');
    },
    position: (id) => seen.push(id),
    lost: (waitMs) => seen.push(`lost for ${waitMs}`),
  };
  expect(await read(service, 3, { watcher })).toEqual(['open', 'evt_1', 'open']);
  expect(seen).toEqual(['received', 'evt_0', 'evt_1', 'lost for 5', 'lost for 5']);
});
