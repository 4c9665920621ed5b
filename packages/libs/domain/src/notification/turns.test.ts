import { expect, test } from 'vitest';
import { type DueChannel, inTurns, standingOf } from './turns.ts';

type Named = DueChannel & { name: string };

const channel = (name: string, organizationId: string, fields: Partial<DueChannel> = {}): Named => ({
  name,
  organizationId,
  priority: 1,
  standing: 'proven',
  dueAt: 0,
  blockedIn: 0,
  ...fields,
});
const names = (due: Named[], servedLast: string | null = null) =>
  inTurns(due, servedLast).map(({ name }) => name);

test('an organization with many channels has one channel served in each turn', () => {
  const many = Array.from({ length: 300 }, (_, n) => channel(`a${n}`, 'a', { dueAt: n, priority: 0 }));
  expect(names([...many, channel('b', 'b', { dueAt: 1_000 })]).indexOf('b')).toBe(1);
});

test('turns begin after the organization that was served last, and cycle through all', () => {
  const due = ['a', 'b', 'c'].map((id) => channel(id, id));
  expect(names(due, 'a')).toEqual(['b', 'c', 'a']);
  expect(names(due, 'c')).toEqual(['a', 'b', 'c']);
  expect(names(due, 'bb')).toEqual(['c', 'a', 'b']);
});

test('within an organization, critical comes before warning, info and subscribed events, even if it is due later', () => {
  const due = [3, 2, 1, 0].map((priority) =>
    channel(`p${priority}`, 'a', { priority, dueAt: 10 - priority }),
  );
  expect(names(due)).toEqual(['p0', 'p1', 'p2', 'p3']);
});

test('of equal priority, destinations that answered last time come before others', () => {
  const due = (['failing', 'unproven', 'proven'] as const).map((standing) =>
    channel(standing, 'a', { standing }),
  );
  expect(names(due)).toEqual(['proven', 'unproven', 'failing']);
});

test('a channel that was blocked comes after those that were not, and the longest blocked before others', () => {
  const due = [
    channel('blocked in 2', 'a', { priority: 0, blockedIn: 2 }),
    channel('blocked in 1', 'a', { priority: 0, blockedIn: 1 }),
    channel('free', 'a', { priority: 2 }),
  ];
  expect(names(due)).toEqual(['free', 'blocked in 1', 'blocked in 2']);
});

test.each([
  ['without a pace', null, 'unproven'],
  ['never answered', { failures: 0, answeredAt: null }, 'unproven'],
  ['answered', { failures: 0, answeredAt: 1 }, 'proven'],
  ['failed since it answered', { failures: 1, answeredAt: 1 }, 'failing'],
  ['failed at first', { failures: 1, answeredAt: null }, 'failing'],
] as const)('a destination %s', (_name, pace, standing) => {
  expect(standingOf(pace)).toBe(standing);
});
