import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Event } from '@tidewatch/api-client/events';
import { MAX_SUMMARY_AGE_MS } from '@tidewatch/contracts/summary/summary-age';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLiveCache, type LiveCache, MIN_REFETCH_MS, RECOUNT_MS } from './live-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const statusChanged = {
  type: 'service.status_changed',
  subject: 'svc_1',
  data: { service: { id: 'svc_1' } },
} as unknown as Event;

/** A server that reads its number once in `maxAgeMs` however often it is asked, and a page that shows the answer. */
function shown(key: readonly unknown[], maxAgeMs: number, isHidden = false) {
  const server = { value: 0, requests: 0 };
  let known: { at: number; value: number } | undefined;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: async () => {
      server.requests += 1;
      if (known === undefined || Date.now() - known.at >= maxAgeMs)
        known = { at: Date.now(), value: server.value };
      return known.value;
    },
  });
  const live = createLiveCache(client, Date.now, () => isHidden);
  observer.subscribe(() => undefined);
  return { server, observer, live };
}

it('a summary that the server had read before an event is read again, so that it does not stay', async () => {
  const { server, observer, live } = shown(['summary'], MAX_SUMMARY_AGE_MS);
  await vi.advanceTimersByTimeAsync(400);
  server.value = 1;
  live.apply([statusChanged]);
  await vi.advanceTimersByTimeAsync(10);
  expect([observer.getCurrentResult().data, server.requests]).toEqual([0, 2]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([observer.getCurrentResult().data, server.requests]).toEqual([1, 3]);
});

it('a summary is current after the last of several events', async () => {
  const { server, observer, live } = shown(['summary'], MAX_SUMMARY_AGE_MS);
  await vi.advanceTimersByTimeAsync(0);
  for (let value = 1; value <= 20; value += 1) {
    server.value = value;
    live.apply([statusChanged]);
    await vi.advanceTimersByTimeAsync(300);
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(observer.getCurrentResult().data).toBe(20);
});

/** A page that shows an alert, which the server answers `afterMs` later as it was when it was asked. */
function slow(afterMs: number) {
  const alert = { id: 'alr_1', status: 'active', updated_at: '2026-11-28T10:00:00.000Z' };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(client, {
    queryKey: ['alert', alert.id],
    queryFn: () => new Promise((resolve) => setTimeout(() => resolve({ ...alert }), afterMs)),
  });
  const live = createLiveCache(client, Date.now, () => false);
  observer.subscribe(() => undefined);
  return { observer, live };
}

const changed = (status: string, second: number) =>
  ({
    type: 'alert.updated',
    subject: 'alr_1',
    data: { alert: { id: 'alr_1', status, updated_at: `2026-11-28T10:00:0${second}.000Z` } },
  }) as unknown as Event;

it('a response that was requested before events arrives with them applied', async () => {
  const { observer, live } = slow(1_000);
  await vi.advanceTimersByTimeAsync(500);
  live.apply([changed('active', 1), changed('resolved', 2)]);
  expect(live.keptEvents).toBe(2);
  await vi.advanceTimersByTimeAsync(600);
  expect(observer.getCurrentResult().data).toMatchObject({ status: 'resolved' });
});

it('events are kept while a response is under way, and not after it', async () => {
  const { live } = slow(1_000);
  live.apply([changed('resolved', 1)]);
  expect(live.keptEvents).toBe(1);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(live.keptEvents).toBe(0);
  live.apply([changed('resolved', 2)]);
  expect(live.keptEvents).toBe(0);
});

it('at most two thousand events of the last minute are kept for a response that does not arrive', async () => {
  const { live } = slow(3_600_000);
  for (let second = 0; second < 100; second += 1) {
    live.apply(Array.from({ length: 50 }, () => changed('resolved', 1)));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(live.keptEvents).toBe(2_000);
  await vi.advanceTimersByTimeAsync(120_000);
  live.apply([changed('resolved', 2)]);
  expect(live.keptEvents).toBe(1);
});

it('a read that the server does not keep is repeated once for an event', async () => {
  const { server, observer, live } = shown(['services', {}], 0);
  await vi.advanceTimersByTimeAsync(400);
  server.value = 1;
  live.apply([statusChanged]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([observer.getCurrentResult().data, server.requests]).toEqual([1, 2]);
});

it('what was requested before the stream was open is read again once, as its answer may be older than the stream', async () => {
  const { server, observer, live } = shown(['services', {}], 0);
  await vi.advanceTimersByTimeAsync(100);
  server.value = 1;
  live.opened();
  await vi.advanceTimersByTimeAsync(MIN_REFETCH_MS - 100);
  expect([observer.getCurrentResult().data, server.requests]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([observer.getCurrentResult().data, server.requests]).toEqual([1, 2]);
});

it('what an event has read again since the stream was opened is not repeated', async () => {
  const { observer, server, live } = shown(['services', {}], 0);
  await vi.advanceTimersByTimeAsync(100);
  live.opened();
  await vi.advanceTimersByTimeAsync(100);
  server.value = 1;
  live.apply([statusChanged]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([observer.getCurrentResult().data, server.requests]).toEqual([1, 2]);
});

it.each<[string, (live: LiveCache) => void]>([
  ['once the stream is open', (live) => live.opened()],
  ['after a gap of the stream', (live) => live.reset()],
])('a hidden page reads the summary again %s, and nothing else', async (_name, happens) => {
  const summary = shown(['summary'], 0, true);
  const services = shown(['services', {}], 0, true);
  await vi.advanceTimersByTimeAsync(100);
  for (const { server, live } of [summary, services]) {
    server.value = 1;
    happens(live);
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect([summary.observer.getCurrentResult().data, summary.server.requests]).toEqual([1, 2]);
  expect(services.server.requests).toBe(1);
});

it.each<[string, Event, number]>([
  ['an alert that gets worse, until no answer can be older', alertEvent('alert.escalated', false), 3],
  ['an alert on trial', alertEvent('alert.escalated', true), 1],
  ['a host', statusChanged, 1],
])(
  'a hidden page reads the summary again only for what its title counts: %s',
  async (_name, event, requests) => {
    const { server, live } = shown(['summary'], 0, true);
    await vi.advanceTimersByTimeAsync(100);
    live.apply([event]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.requests).toBe(requests);
  },
);

function alertEvent(type: string, shadow: boolean): Event {
  const alert = { id: 'alr_1', severity: 'critical', shadow, acknowledged_at: null };
  return { type, subject: alert.id, time: '2026-11-28T10:00:00.000Z', data: { alert } } as unknown as Event;
}

it('a list is read again after it counted an alert that its response had counted', async () => {
  const listed = (second: number) => ({
    id: `alr_${second}`,
    status: 'active',
    shadow: false,
    fired_at: `2026-11-28T10:00:0${second}.000Z`,
    updated_at: `2026-11-28T10:00:0${second}.000Z`,
  });
  const server = { total: 2, requests: 0 };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(client, {
    queryKey: ['alerts', {}],
    queryFn: async () => {
      server.requests += 1;
      const pagination = { total: server.total, next_cursor: 'next' };
      return { pages: [{ alerts: [listed(9)], pagination }], pageParams: [null] };
    },
  });
  const live = createLiveCache(client, Date.now, () => false);
  observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  const total = () => observer.getCurrentResult().data?.pages[0]?.pagination.total;
  live.apply([{ type: 'alert.fired', subject: 'alr_1', data: { alert: listed(1) } } as unknown as Event]);
  expect([total(), server.requests]).toEqual([3, 1]);
  await vi.advanceTimersByTimeAsync(RECOUNT_MS - 1);
  expect(server.requests).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([total(), server.requests]).toEqual([2, 2]);
});
