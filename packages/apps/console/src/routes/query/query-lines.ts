import type { Schema } from '@tidewatch/api-client/schema';
import type { ChartLine } from '../../chart/plot/picture.ts';

type Response = Pick<Schema<'FleetAnswer'>, 'series' | 'step_seconds'>;

/** What one group comes to over the range, as the table shows it. */
export interface GroupRow {
  name: string;
  mean: number | null;
  min: number | null;
  max: number | null;
  last: number | null;
}

/** The lines of a query, one for each group. */
export function queryLines(
  { series, step_seconds }: Response,
  groupBy: string | null,
  isTop: boolean,
  by: string | null = null,
): ChartLine[] {
  const stepMs = step_seconds * 1_000;
  return series.map(({ group, points: answered }) => {
    const points = answered.map(({ t, value }) => ({ t: Date.parse(t), avg: value, min: value, max: value }));
    return {
      name: nameOf(group, groupBy, isTop, by),
      points,
      spacing: { stepMs, intervalMs: intervalOf(points, stepMs) },
      shape: 'line',
    };
  });
}

/** The usual distance of points, ms, where hosts report more rarely than the step; null where steps are filled, and for few points. */
function intervalOf(points: readonly { t: number }[], stepMs: number): number | null {
  const distances = points.slice(1).map(({ t }, index) => t - (points[index]?.t ?? t));
  const usual = distances.sort((a, b) => a - b)[distances.length >> 1] ?? 0;
  return points.length > 2 && usual > stepMs ? usual : null;
}

function nameOf(group: string | null, groupBy: string | null, isTop: boolean, by: string | null): string {
  if (groupBy !== null) return group === null ? `without ${groupBy}` : `${groupBy}=${group}`;
  if (group === null && by === 'part') return 'hosts themselves';
  return group ?? (isTop ? 'no host' : 'all hosts');
}

export function groupRows(lines: readonly ChartLine[]): GroupRow[] {
  return lines.map(({ name, points }) => {
    if (points.length === 0) return { name, mean: null, min: null, max: null, last: null };
    const values = points.map(({ avg }) => avg);
    const ends = values.reduce(
      ({ min, max, sum }, value) => ({
        min: Math.min(min, value),
        max: Math.max(max, value),
        sum: sum + value,
      }),
      { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0 },
    );
    return {
      name,
      mean: ends.sum / values.length,
      min: ends.min,
      max: ends.max,
      last: values.at(-1) ?? null,
    };
  });
}
