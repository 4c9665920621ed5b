import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChartGroup } from '../chart-group.tsx';
import { mergePoints } from './points.ts';
import { readSeries, type Series, seriesCsvUrl } from './series-reader.ts';
import { stepFor } from './step.ts';

export interface SeriesOptions {
  serviceId: string;
  subject: string;
  metric: string;
  intervalMs: number | null;
  /** Data are read while the chart is in view and has a width. */
  isNear: boolean;
  width: number;
}

/** The last steps are read again with newer ones: their samples may have been under way. */
const REREAD_STEPS = 3;
/** Series that no chart shows any more are let go soon, since they are large. */
const KEEP_MS = 60_000;

/** The points of a metric in the range of the charts, which go on while the range ends now. */
export function useSeries({ serviceId, subject, metric, intervalMs, isNear, width }: SeriesOptions) {
  const { range, texts, isLive, now } = useChartGroup();
  const client = useQueryClient();
  const stepMs = stepFor(range.to - range.from, Math.max(width, 200), intervalMs);
  const queryKey = ['series', serviceId, subject, metric, texts.from, texts.to ?? '', stepMs];
  const request = { serviceId, subject, metric, stepMs, ...range };
  const query = useQuery({
    queryKey,
    enabled: isNear && width > 0,
    gcTime: KEEP_MS,
    staleTime: isLive ? 0 : Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<Series> => {
      const former = client.getQueryData<Series>(queryKey);
      const last = former?.points.at(-1)?.t;
      // A host that was silent for long may have sent what it had kept.
      if (former === undefined || last === undefined || !isLive || range.to - last > 60 * stepMs)
        return readSeries(request);
      const from = Math.max(floor(last - REREAD_STEPS * stepMs, stepMs), floor(range.from, stepMs));
      const newer = await readSeries({ ...request, from });
      if (newer.stepMs !== former.stepMs || newer.tier !== former.tier) return readSeries(request);
      return { ...newer, points: mergePoints(former.points, newer.points, range.from - stepMs) };
    },
  });
  const { refetch } = query;
  // The interval of charts, no oftener than the host reports.
  const turn = isLive ? Math.floor(now / Math.max(intervalMs ?? 0, 5_000)) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn reads what is new
  useEffect(() => {
    if (isLive && isNear && width > 0) void refetch({ cancelRefetch: false });
  }, [turn, isLive, isNear, width > 0, refetch]);
  return { ...query, stepMs, csvUrl: seriesCsvUrl(request) };
}

function floor(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}
