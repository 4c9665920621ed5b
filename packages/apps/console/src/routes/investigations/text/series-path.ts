import { type ChartPoint, segmentsOf } from '../../../chart/data/gaps.ts';
import { spacingOf } from './evidence-source.ts';

const WIDTH = 60;
const TOP = 1;
const HEIGHT = 18;

/** A path in a box of 60 × 20 from 0 to the highest value: gaps interrupt the line, and a point alone is a dot. */
export function seriesPath(points: readonly ChartPoint[]): string {
  const start = points[0]?.t ?? 0;
  const length = (points.at(-1)?.t ?? 0) - start || 1;
  const values = points.map(({ avg }) => avg);
  const low = Math.min(0, ...values);
  const range = Math.max(0, ...values) - low || 1;
  const place = ({ t, avg }: ChartPoint) =>
    `${(((t - start) / length) * WIDTH).toFixed(1)} ${(TOP + HEIGHT * (1 - (avg - low) / range)).toFixed(1)}`;
  return segmentsOf(points, { stepMs: spacingOf(points), intervalMs: null })
    .map(([first, last]) => {
      const run = points.slice(first, last + 1).map(place);
      return run.length === 1 ? `M${run[0]}h.01` : `M${run.join('L')}`;
    })
    .join('');
}
