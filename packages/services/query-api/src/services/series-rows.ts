import { pointSchema, seriesSchema } from '@tidewatch/contracts/services/series';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { exportSeries, type SeriesRequest } from '@tidewatch/store/series/read';
import { z } from 'zod';

/** The number of metrics that are read at once, with at most 11,000 points each, and of points in a portion. */
const METRICS_AT_ONCE = 4;
const PORTION = 500;

/** The fields of a line of an export. */
export const SERIES_ROW = {
  host: z.string(),
  subject: z.string(),
  metric: seriesSchema.shape.metric,
  unit: seriesSchema.shape.unit,
  ...pointSchema.shape,
} satisfies z.ZodRawShape;

/** Yields the points of a service's series as lines, in portions. */
export async function* seriesRows(
  tx: Transaction,
  { host, ...request }: SeriesRequest & { host: string },
): AsyncGenerator<object[]> {
  const { kind, name } = request.subject;
  // As `subject=` names them: the kind of a part stands in its name.
  const subject = kind === 'host' ? kind : kind === 'part' ? name : `${kind}:${name}`;
  for await (const { metric, unit, points } of exportSeries(tx, request, METRICS_AT_ONCE)) {
    const { at, avg, min, max, count } = points;
    for (let start = 0; start < at.length; start += PORTION)
      yield Array.from(at.subarray(start, start + PORTION), (time, offset) => {
        const point = start + offset;
        const values = { avg: avg[point], min: min[point], max: max[point], count: count[point] };
        return { host, subject, metric, unit, t: toIso(time), ...values };
      });
  }
}
