import { expect, test } from 'vitest';
import { GROUPED_FOR_MS, MAX_DIGEST, MAX_IMMEDIATE_NOTICES, type NoticeWindow, place } from './grouping.ts';

const options = (newDigestId: () => string) => ({ groupedForMs: GROUPED_FOR_MS, newDigestId });

/** Adds `count` notices of `bytes` each at `now`, and returns how each is sent. */
function placeAll(count: number, { bytes = 1_000, now = 0, window = null as NoticeWindow | null } = {}) {
  let digests = 0;
  const placements = Array.from({ length: count }, () => {
    const placed = place(
      window,
      now,
      bytes,
      options(() => `digest-${++digests}`),
    );
    ({ window } = placed);
    return placed.placement;
  });
  return { placements, window };
}

test('the first five notices are sent immediately, the rest together at the end of the window', () => {
  const { placements } = placeAll(8);
  expect(placements.map(({ kind }) => kind)).toEqual([
    ...Array(MAX_IMMEDIATE_NOTICES).fill('at_once'),
    ...Array(3).fill('held'),
  ]);
  expect(placements.slice(MAX_IMMEDIATE_NOTICES)).toEqual([
    { kind: 'held', digestId: 'digest-1', opened: true, until: GROUPED_FOR_MS },
    { kind: 'held', digestId: 'digest-1', opened: false, until: GROUPED_FOR_MS },
    { kind: 'held', digestId: 'digest-1', opened: false, until: GROUPED_FOR_MS },
  ]);
});

test('a notice after the end of a grouping window begins a new window', () => {
  const { window } = placeAll(8);
  expect(
    place(
      window,
      GROUPED_FOR_MS - 1,
      1,
      options(() => 'x'),
    ).placement.kind,
  ).toBe('held');
  expect(
    place(
      window,
      GROUPED_FOR_MS,
      1,
      options(() => 'x'),
    ).placement,
  ).toEqual({ kind: 'at_once' });
});

test.each([
  ['too many alerts', 1_000, MAX_DIGEST.alerts],
  ['too many bytes', MAX_DIGEST.bytes / 4, 4],
  ['one alert that is too large by itself', MAX_DIGEST.bytes * 2, 1],
])('a digest is several where it would have %s', (_what, bytes, fitting) => {
  const { placements } = placeAll(MAX_IMMEDIATE_NOTICES + fitting + 1, { bytes });
  const held = placements.flatMap((placement) => (placement.kind === 'held' ? [placement.digestId] : []));
  expect(held).toEqual([...Array(fitting).fill('digest-1'), 'digest-2']);
});

test('a grouping window whose digest has been sent begins another digest', () => {
  const { window } = placeAll(8);
  const sent = { ...(window as NoticeWindow), digest: null };
  expect(
    place(
      sent,
      1,
      1,
      options(() => 'late'),
    ).placement,
  ).toMatchObject({ digestId: 'late', opened: true });
});
