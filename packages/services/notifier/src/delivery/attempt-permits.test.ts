import { expect, test } from 'vitest';
import {
  AttemptPermits,
  MAX_ATTEMPTS_OF_CHANNEL,
  MAX_ATTEMPTS_OF_ORGANIZATION,
  MAX_FAILING_OF_ORGANIZATION,
  MAX_UNPROVEN_OF_ORGANIZATION,
} from './attempt-permits.ts';

const fill = (permits: AttemptPermits, organization: string, standing: 'proven' | 'unproven' | 'failing') =>
  Array.from({ length: 300 }, (_, n) => permits.take(organization, `${organization}/${n}`, standing)).flat();

test('a channel has a few permits for attempts, and a released one can be taken again', () => {
  const permits = new AttemptPermits();
  const taken = permits.take('a', 'a/1', 'proven');
  expect(taken).toHaveLength(MAX_ATTEMPTS_OF_CHANNEL);
  expect(permits.take('a', 'a/1', 'proven')).toEqual([]);
  taken[0]?.release();
  expect(permits.take('a', 'a/1', 'proven')).toHaveLength(1);
});

test('300 hanging destinations leave permits to other destinations of their organization and to other organizations', () => {
  const permits = new AttemptPermits();
  expect(fill(permits, 'a', 'unproven')).toHaveLength(MAX_UNPROVEN_OF_ORGANIZATION);
  expect(fill(permits, 'a', 'failing')).toHaveLength(MAX_FAILING_OF_ORGANIZATION);
  const rest = MAX_ATTEMPTS_OF_ORGANIZATION - MAX_UNPROVEN_OF_ORGANIZATION - MAX_FAILING_OF_ORGANIZATION;
  expect(rest).toBeGreaterThan(0);
  expect(fill(permits, 'a', 'proven')).toHaveLength(rest);
  expect(permits.take('b', 'b/1', 'unproven')).toHaveLength(MAX_ATTEMPTS_OF_CHANNEL);
});

test('failing destinations of all organizations together leave permits to destinations that answer', () => {
  const permits = new AttemptPermits();
  for (let n = 0; n < 50; n += 1) fill(permits, `failing ${n}`, 'failing');
  expect(fill(permits, 'b', 'proven')).toHaveLength(MAX_ATTEMPTS_OF_ORGANIZATION);
});

test('all permits of failing destinations can be taken again after their release', () => {
  const permits = new AttemptPermits();
  const taken = fill(permits, 'a', 'failing');
  for (const permit of taken) permit.release();
  expect(fill(permits, 'a', 'failing')).toHaveLength(taken.length);
});
