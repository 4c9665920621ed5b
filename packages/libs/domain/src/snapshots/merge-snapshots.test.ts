import { expect, test } from 'vitest';
import { mergeSnapshots } from './merge-snapshots.ts';

const processes = (name: string) => [{ name, pid: 1 }];

test('keeps the later list of one time, and a list that the later snapshot lacks', () => {
  const merged = mergeSnapshots([
    { time: 2, containers: [], processes: processes('old') },
    { time: 1, containers: null, processes: processes('first') },
    { time: 2, containers: null, processes: processes('new') },
  ]);
  expect(merged).toEqual([
    { time: 1, containers: null, processes: processes('first') },
    { time: 2, containers: [], processes: processes('new') },
  ]);
});
