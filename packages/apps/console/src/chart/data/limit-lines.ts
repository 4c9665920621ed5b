import { MAX_LINES } from '../plot/palette.ts';
import type { ChartLine } from '../plot/picture.ts';
import type { ChartPoint } from './gaps.ts';

/** The lines of a chart: all of them, or those with the highest means and the median of the others. */
export function limitLines(lines: readonly ChartLine[], max = MAX_LINES): ChartLine[] {
  if (lines.length <= max) return [...lines];
  const ranked = [...lines].sort((a, b) => meanOf(b) - meanOf(a));
  const others = ranked.slice(max - 1);
  const [first] = others;
  const median: ChartLine = {
    name: `median of ${others.length} others`,
    points: medians(others),
    spacing: first?.spacing ?? { stepMs: 1, intervalMs: null },
    shape: 'line',
  };
  return [...ranked.slice(0, max - 1), median];
}

/** The mean of all points of a line; a line without points is the last. */
function meanOf({ points }: ChartLine): number {
  if (points.length === 0) return Number.NEGATIVE_INFINITY;
  return points.reduce((sum, { avg }) => sum + avg, 0) / points.length;
}

/** At each time the median of the lines that have a point there. */
function medians(lines: readonly ChartLine[]): ChartPoint[] {
  const byTime = new Map<number, number[]>();
  for (const { points } of lines)
    for (const { t, avg } of points) {
      const values = byTime.get(t);
      if (values === undefined) byTime.set(t, [avg]);
      else values.push(avg);
    }
  const times = [...byTime].sort(([a], [b]) => a - b);
  return times.map(([t, values]) => {
    values.sort((a, b) => a - b);
    const middle = (values.length - 1) / 2;
    const low = values[Math.floor(middle)] ?? 0;
    const high = values[Math.ceil(middle)] ?? 0;
    const avg = (low + high) / 2;
    return { t, avg, min: avg, max: avg };
  });
}
