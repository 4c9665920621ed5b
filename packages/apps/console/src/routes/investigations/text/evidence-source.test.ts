import { expect, it } from 'vitest';
import type { Evidence } from '../investigation-reads.ts';
import { columnsOf, seriesPoints, sourceOf, spacingOf } from './evidence-source.ts';

const SERVICE = `svc_${'1'.repeat(32)}`;
const HOSTS = new Map([[SERVICE, 'web-01']]);
const at = (minute: number) => `2026-11-26T03:0${minute}:00.000Z`;
const piece = (query: string, stats: Evidence['stats'] = {}): Evidence => ({
  id: 'evd_1',
  query,
  from: at(0),
  to: at(9),
  stats,
  points: [],
});

it('names a metric of a host with its unit and its chart', () => {
  expect(
    sourceOf(piece(`GET /api/v1/services/${SERVICE}/metrics?metrics=cpu_percent&step=60`), HOSTS),
  ).toEqual({
    name: 'cpu_percent of web-01',
    metric: 'cpu_percent',
    unit: 'percent',
    chart: { serviceId: SERVICE, search: { metric: 'cpu_percent', from: at(0), to: at(9) } },
  });
});

it.each([
  [
    'a container',
    piece(`GET /api/v1/services/${SERVICE}/metrics?subject=container%3Aapi&metrics=memory_usage`),
    'memory_usage of container api of web-01',
    'bytes',
  ],
  ['a process', piece('select …', { name: 'reindex', resource: 'memory' }), 'reindex, memory', 'bytes'],
  ['a container out of snapshots', piece('select …', { name: 'api', left_running: 2 }), 'api', null],
  ['earlier alerts', piece('GET /api/v1/alerts?service_id=x'), 'earlier alerts', null],
  [
    'anything else by its query',
    piece('the times of the payloads of the host'),
    'the times of the payloads of the host',
    null,
  ],
])('names %s', (_name, given, name, unit) => {
  expect(sourceOf(given, HOSTS)).toMatchObject({ name, unit });
});

it('takes the points of a series and leaves out rows of tables', () => {
  const points: Evidence['points'] = [
    { t: at(1), value: 3 },
    { t: at(2), tag: 'x' },
    { host: 'web-01' },
    { t: at(3), value: 4 },
  ];
  expect(
    seriesPoints({ points }).map(({ t, avg, min, max }) => [t - Date.parse(at(0)), avg, min, max]),
  ).toEqual([
    [60_000, 3, 3, 3],
    [180_000, 4, 4, 4],
  ]);
  expect(columnsOf({ points })).toEqual(['t', 'value', 'tag', 'host']);
});

it('takes the median distance for the spacing, so that a gap stays a gap', () => {
  const points = [0, 1, 2, 7, 8].map((minute) => ({ t: at(minute), value: 1 }));
  expect(spacingOf(seriesPoints({ points }))).toBe(60_000);
});
