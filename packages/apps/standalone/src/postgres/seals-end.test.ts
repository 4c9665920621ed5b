import { expect, test } from 'vitest';
import { SealsEnd } from './seals-end.ts';

const MIB = 2 ** 20;
const EVERY_MS = 3_000;

/** Returns the places at which seals have ended, by the dead rows and the MiB of WAL that each look finds. */
function endsOf(looks: readonly (readonly [deadRows: number, mebibytes: number])[]): number[] {
  const seals = new SealsEnd();
  return looks.flatMap(([deadRows, mebibytes], place) =>
    seals.observe({ deadRows, bytes: mebibytes * MIB }, place * EVERY_MS) ? [place] : [],
  );
}

test('seals have ended when two looks in a row find the same dead rows and nothing is written', () => {
  expect(
    endsOf([
      [0, 10],
      [40, 20],
      [90, 20],
      [90, 20.1],
    ]),
  ).toEqual([3]);
});

test('seals have not ended while samples are stored, or when they deleted nothing', () => {
  expect(endsOf(Array.from({ length: 20 }, (_, place) => [90, place] as const))).toEqual([]);
  expect(endsOf(Array.from({ length: 20 }, () => [0, 10] as const))).toEqual([]);
});

test('seals end at most once a minute', () => {
  expect(endsOf(Array.from({ length: 45 }, () => [90, 10] as const))).toEqual([1, 21, 41]);
});
