import { expect, it } from 'vitest';
import { type LinkInput, type LinkState, linkAfter, linkAt } from './link-state.ts';

const START: LinkState = { phase: 'connecting', startedAt: 0, failures: 0, retryAt: null };
const OPEN: LinkState = { phase: 'open', openedAt: 0, lastByteAt: 10_000, pastUntil: null };
const LOST: LinkState = { phase: 'lost', since: 12_000, failures: 0, retryAt: 14_000 };

it.each<[string, LinkState, LinkInput, number, LinkState]>([
  [
    'opens without a past',
    START,
    { kind: 'open' },
    5,
    { phase: 'open', openedAt: 5, lastByteAt: 5, pastUntil: null },
  ],
  [
    'counts failures before the first opening',
    START,
    { kind: 'lost', waitMs: 100 },
    5,
    { ...START, failures: 1, retryAt: 105 },
  ],
  ['notes the last byte', OPEN, { kind: 'bytes' }, 11_000, { ...OPEN, lastByteAt: 11_000 }],
  ['is current until a cut', OPEN, { kind: 'lost', waitMs: 2_000 }, 12_000, LOST],
  [
    'is current until the last byte before a silence',
    OPEN,
    { kind: 'lost', waitMs: 2_000 },
    30_000,
    { ...LOST, since: 10_000, retryAt: 32_000 },
  ],
  [
    'keeps the time of the cut while retries fail',
    LOST,
    { kind: 'lost', waitMs: 1_000 },
    14_000,
    { ...LOST, failures: 1, retryAt: 15_000 },
  ],
  [
    'catches up after a cut',
    LOST,
    { kind: 'open' },
    15_000,
    { phase: 'open', openedAt: 15_000, lastByteAt: 15_000, pastUntil: 15_400 },
  ],
  [
    'goes on catching up with each event',
    { ...OPEN, pastUntil: 10_400 },
    { kind: 'event' },
    10_200,
    { ...OPEN, pastUntil: 10_600 },
  ],
  ['stays live with each event', OPEN, { kind: 'event' }, 10_200, OPEN],
  [
    'is refused with the time of the last byte',
    OPEN,
    { kind: 'refused', status: 401 },
    20_000,
    { phase: 'refused', status: 401, since: 10_000 },
  ],
  [
    'begins again after a refusal',
    { phase: 'refused', status: 401, since: 10_000 },
    { kind: 'start' },
    20_000,
    { phase: 'connecting', startedAt: 20_000, failures: 0, retryAt: null },
  ],
])('%s', (_name, state, input, now, expected) => {
  expect(linkAfter(state, input, now)).toEqual(expected);
});

it('has caught up after a quiet moment', () => {
  expect(linkAt({ ...OPEN, pastUntil: 10_400 }, 10_399)).toMatchObject({ pastUntil: 10_400 });
  expect(linkAt({ ...OPEN, pastUntil: 10_400 }, 10_400)).toEqual(OPEN);
});
