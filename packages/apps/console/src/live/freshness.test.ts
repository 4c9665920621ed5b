import { expect, it } from 'vitest';
import { completeUntil, delayAfter, type Freshness, freshnessOf } from './freshness.ts';
import type { LinkState } from './link-state.ts';

const connecting: LinkState = { phase: 'connecting', startedAt: 100, failures: 0, retryAt: null };
const open: LinkState = { phase: 'open', openedAt: 100, lastByteAt: 100, pastUntil: null };
const lost: LinkState = { phase: 'lost', since: 1_000, failures: 0, retryAt: 3_000 };

it.each<[string, LinkState, number | null, number, Freshness]>([
  ['connects at first', connecting, null, 200, { kind: 'connecting' }],
  [
    'is not current if the first attempt failed',
    { ...connecting, failures: 1, retryAt: 900 },
    null,
    200,
    { kind: 'not-current', since: 100, retryAt: 900 },
  ],
  ['is live while the stream is open', open, null, 200, { kind: 'live' }],
  ['catches up while past events arrive', { ...open, pastUntil: 300 }, null, 200, { kind: 'catching-up' }],
  ['overlooks a cut that is mended at once', lost, null, 1_200, { kind: 'live' }],
  [
    'is not current once the first retry failed',
    { ...lost, failures: 1 },
    null,
    1_200,
    { kind: 'not-current', since: 1_000, retryAt: 3_000 },
  ],
  [
    'is not current 1.5 s after a cut',
    lost,
    null,
    2_500,
    { kind: 'not-current', since: 1_000, retryAt: 3_000 },
  ],
  ['is signed out on 401', { phase: 'refused', status: 401, since: 1 }, null, 200, { kind: 'signed-out' }],
  [
    'is not current where the stream is refused',
    { phase: 'refused', status: 403, since: 1 },
    null,
    200,
    { kind: 'not-current', since: 1, retryAt: null },
  ],
  [
    'is not current where the page itself reaches no server',
    open,
    150,
    200,
    { kind: 'not-current', since: 150, retryAt: null },
  ],
])('%s', (_name, link, unreachableSince, now, expected) => {
  expect(freshnessOf(link, unreachableSince, now)).toEqual(expected);
});

const pipeline = (type: string, partitions: number[], complete_until = '2026-11-26T03:11:58Z') => ({
  type,
  data: { pipeline: { partitions, complete_until } },
});

it('is delayed until the last partition has caught up', () => {
  const first = delayAfter(null, pipeline('pipeline.delayed', [1, 2]));
  expect(first).toEqual({ partitions: [1, 2], completeUntil: '2026-11-26T03:11:58Z' });
  const second = delayAfter(first, pipeline('pipeline.recovered', [2]));
  expect(second?.partitions).toEqual([1]);
  expect(delayAfter(second, pipeline('pipeline.recovered', [1]))).toBeNull();
  expect(delayAfter(null, pipeline('pipeline.recovered', [1]))).toBeNull();
});

const DELAY = { partitions: [1], completeUntil: '2026-11-26T03:11:58.000Z' };
const summary = (lag: number | null) => ({ as_of: '2026-11-26T03:13:00.000Z', evaluation_lag_seconds: lag });

it.each<[string, typeof DELAY | null, ReturnType<typeof summary> | undefined, string | null]>([
  ['by an event', DELAY, undefined, '2026-11-26T03:11:58.000Z'],
  ['by a summary, without an event', null, summary(90), '2026-11-26T03:11:30.000Z'],
  ['by a summary before an event', DELAY, summary(40), '2026-11-26T03:12:20.000Z'],
  ['by an event while the summary says nothing', DELAY, summary(0.4), '2026-11-26T03:11:58.000Z'],
  ['not at all', null, summary(0.4), null],
  ['not at all before the first evaluation', null, summary(null), null],
])('alerts are complete until a time %s', (_name, delay, given, expected) => {
  const until = completeUntil(delay, given);
  expect(until === null ? null : new Date(until).toISOString()).toBe(expected);
});
