import { expect, test } from 'vitest';
import {
  MAX_ATTEMPTS_OF_CHANNEL,
  MAX_ATTEMPTS_OF_ORGANIZATION,
  MAX_FAILING_OF_ORGANIZATION,
  MAX_UNPROVEN_OF_ORGANIZATION,
  Places,
} from './attempt-permits.ts';

const fill = (places: Places, organization: string, standing: 'proven' | 'unproven' | 'failing') =>
  Array.from({ length: 300 }, (_, n) => places.take(organization, `${organization}/${n}`, standing)).flat();

test('one channel has a few places, and gets them back one by one', () => {
  const places = new Places();
  const taken = places.take('a', 'a/1', 'proven');
  expect(taken).toHaveLength(MAX_ATTEMPTS_OF_CHANNEL);
  expect(places.take('a', 'a/1', 'proven')).toEqual([]);
  taken[0]?.release();
  expect(places.take('a', 'a/1', 'proven')).toHaveLength(1);
});

test('300 hanging destinations of an organization leave room for its others, and for other organizations', () => {
  const places = new Places();
  expect(fill(places, 'a', 'unproven')).toHaveLength(MAX_UNPROVEN_OF_ORGANIZATION);
  expect(fill(places, 'a', 'failing')).toHaveLength(MAX_FAILING_OF_ORGANIZATION);
  const rest = MAX_ATTEMPTS_OF_ORGANIZATION - MAX_UNPROVEN_OF_ORGANIZATION - MAX_FAILING_OF_ORGANIZATION;
  expect(rest).toBeGreaterThan(0);
  expect(fill(places, 'a', 'proven')).toHaveLength(rest);
  expect(places.take('b', 'b/1', 'unproven')).toHaveLength(MAX_ATTEMPTS_OF_CHANNEL);
});

test('failing destinations of all organizations together leave most places to others', () => {
  const places = new Places();
  for (let n = 0; n < 50; n += 1) fill(places, `failing ${n}`, 'failing');
  expect(fill(places, 'b', 'proven')).toHaveLength(MAX_ATTEMPTS_OF_ORGANIZATION);
});

test('a place that is released is given to whoever asks next', () => {
  const places = new Places();
  const taken = fill(places, 'a', 'failing');
  for (const place of taken) place.release();
  expect(fill(places, 'a', 'failing')).toHaveLength(taken.length);
});
