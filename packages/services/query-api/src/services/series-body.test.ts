import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonBytes } from '../http/json-bytes.ts';
import { seriesBody } from './series-body.ts';

const HEAD = {
  service_id: `svc_${'0'.repeat(32)}`,
  host: 'web "01"\u{1F30A}',
  subject: { kind: 'host' as const, name: 'web-01' },
  from: '2026-11-21T00:00:00.000Z',
  to: '2026-11-22T00:00:00.000Z',
  step_seconds: 60,
  tier: '1m' as const,
};
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: -1_000, max: 1_000, noNaN: true }),
  fc.integer(),
  fc.integer({ min: -1, max: 2_000_000_000 }).map((hundredths) => hundredths / 100),
  fc.constantFrom(
    0,
    -0,
    0.1,
    0.07,
    1e21,
    1e-7,
    5e-324,
    2 ** 31,
    2 ** 31 - 1,
    21_474_836.47,
    21_474_836.48,
    1.005,
  ),
);
const time = fc.integer({ min: 0, max: 253_402_300_799_999 });

it('seriesBody writes numbers and times as JSON.stringify does', () => {
  fc.assert(
    fc.property(number, time, (value, ms) => {
      const json = new JsonBytes();
      json.number(value);
      json.bytes(Buffer.from(','));
      json.time(ms);
      expect(json.finish().toString()).toBe(`${JSON.stringify(value)},${JSON.stringify(new Date(ms))}`);
    }),
    { numRuns: 5_000 },
  );
});

it('seriesBody writes the same text as JSON.stringify, however long it is', async () => {
  // Most steps are equal to those of other metrics, as in a chart.
  const point = fc.tuple(
    fc.option(time, { freq: 1 }),
    number,
    number,
    number,
    fc.integer({ min: 1, max: 1e9 }),
  );
  const series = fc.record({
    metric: fc.string(),
    points: fc
      .array(point, { maxLength: 2_000, size: 'max' })
      .map((points) => points.map(([at, ...rest], index) => [at ?? 60_000 * index, ...rest] as const)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(series, { maxLength: 3 }), async (all) => {
      const columns = all.map(({ metric, points }) => {
        const column = (index: 0 | 1 | 2 | 3 | 4) => Float64Array.from(points, (each) => each[index]);
        const [at, avg, min, max, count] = [column(0), column(1), column(2), column(3), column(4)];
        return { metric, unit: null, points: { at, avg, min, max, count } };
      });
      const spelled = all.map(({ metric, points }) => ({
        metric,
        unit: null,
        points: points.map(([t, avg, min, max, count]) => ({
          t: new Date(t).toISOString(),
          avg,
          min,
          max,
          count,
        })),
      }));
      const body = await seriesBody(HEAD, columns);
      expect(body.finish().toString()).toBe(JSON.stringify({ ...HEAD, series: spelled }));
      body.release();
    }),
    { numRuns: 40 },
  );
});
