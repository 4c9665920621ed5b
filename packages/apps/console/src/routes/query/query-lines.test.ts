import { expect, it } from 'vitest';
import { segmentsOf } from '../../chart/data/gaps.ts';
import { groupRows, queryLines } from './query-lines.ts';

const response = (group: string | null, ...values: number[]) => ({
  step_seconds: 60,
  series: [
    {
      group,
      host: null,
      part: null,
      points: values.map((value, index) => ({ t: `2026-11-26T03:0${index}:00.000Z`, value })),
    },
  ],
});

it.each([
  ['eu-1', 'region', false, 'region=eu-1'],
  [null, 'region', false, 'without region'],
  ['web-01', null, true, 'web-01'],
  [null, null, false, 'all hosts'],
])('names the group %s by %s (top: %s) %s', (group, groupBy, isTop, name) => {
  expect(queryLines(response(group, 1), groupBy, isTop)[0]?.name).toBe(name);
});

it('names hosts without parts where groups are parts', () => {
  expect(queryLines(response(null, 1), null, false, 'part')[0]?.name).toBe('hosts themselves');
  expect(queryLines(response('filesystem:/', 1), null, false, 'part')[0]?.name).toBe('filesystem:/');
});

it.each([
  ['joins points of hosts that report more rarely than the step', [0, 3, 6, 9, 13], [[0, 4]]],
  [
    'leaves a gap where most steps are filled',
    [0, 1, 2, 3, 5, 6],
    [
      [0, 3],
      [4, 5],
    ],
  ],
] as const)('%s', (_name, minutes, segments) => {
  const points = minutes.map((minute) => ({
    t: new Date(minute * 60_000).toISOString(),
    value: 1,
  }));
  const [line] = queryLines(
    { step_seconds: 60, series: [{ group: null, host: null, part: null, points }] },
    null,
    false,
  );
  expect(line && segmentsOf(line.points, line.spacing)).toEqual(segments);
});

it('lists mean, min, max and last value of each group of series, and null for a group without points', () => {
  const lines = queryLines(response('web', 4, 1, 7), 'role', false);
  expect(groupRows(lines)).toEqual([{ name: 'role=web', mean: 4, min: 1, max: 7, last: 7 }]);
  expect(groupRows(queryLines(response('web'), 'role', false))).toEqual([
    { name: 'role=web', mean: null, min: null, max: null, last: null },
  ]);
});
