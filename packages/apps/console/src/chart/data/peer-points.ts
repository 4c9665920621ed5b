import type { Schema } from '@tidewatch/api-client/schema';
import type { ChartPoint } from './gaps.ts';

type Response = Pick<Schema<'FleetAnswer'>, 'series'>;

/** Three responses for the same hosts as one line: the median with a low and a high percentile as its band. */
export function peerPoints(low: Response, median: Response, high: Response): ChartPoint[] {
  const values = ({ series }: Response) => new Map(series[0]?.points.map(({ t, value }) => [t, value]));
  const lows = values(low);
  const highs = values(high);
  return (median.series[0]?.points ?? []).map(({ t, value }) => ({
    t: Date.parse(t),
    avg: value,
    // The responses were computed one after the other, so that the newest step may have grown.
    min: Math.min(lows.get(t) ?? value, value),
    max: Math.max(highs.get(t) ?? value, value),
  }));
}
