import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ChartGroup, useChartGroup } from '../chart-group.tsx';
import { mergePoints } from './points.ts';
import { readSeries, type Series, type SeriesRequest } from './series-reader.ts';
import { stepFor } from './step.ts';

export interface SeriesOptions {
  serviceId: string;
  subject: string;
  metric: string;
}

export interface ChartView {
  /** Data are read while the chart is in view or near it, and has a width. */
  isNear: boolean;
  width: number;
}

/** The last steps are read again with newer ones: their samples may have been under way. */
const REREAD_STEPS = 3;
/** A longer time without points is read as a whole: a host may have sent what it had kept. */
const MAX_NEW_STEPS = 60;
/** Series that no chart shows any more are released soon, since they are large. */
const KEEP_MS = 60_000;
const MIN_WIDTH = 200;
const MIN_TURN_MS = 5_000;

/** The series of one chart in the range of the page, in one step. While the range ends now they go on. */
export function useSeries(wanted: readonly SeriesOptions[], intervalMs: number | null, view: ChartView) {
  const group = useChartGroup();
  const client = useQueryClient();
  const isShown = view.isNear && view.width > 0;
  const stepMs = stepFor(group.range.to - group.range.from, Math.max(view.width, MIN_WIDTH), intervalMs);
  const requests = wanted.map((options) => ({ ...options, stepMs, ...group.range }));
  const answers = useQueries({
    queries: requests.map((request) => seriesRead(client, group, request, isShown)),
  });
  // Charts go on together, no oftener than the host reports.
  const turn = group.isLive ? Math.floor(group.now / Math.max(intervalMs ?? 0, MIN_TURN_MS)) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn reads what is new of all series
  useEffect(() => {
    if (!group.isLive || !isShown) return;
    for (const { refetch } of answers) void refetch({ cancelRefetch: false });
  }, [turn, group.isLive, isShown]);
  return { answers, stepMs, requests };
}

function seriesRead(client: QueryClient, group: ChartGroup, request: SeriesRequest, isShown: boolean) {
  const { serviceId, subject, metric, stepMs } = request;
  const { texts, isLive } = group;
  const queryKey = ['series', serviceId, subject, metric, texts.from, texts.to ?? '', stepMs];
  return {
    queryKey,
    enabled: isShown,
    gcTime: KEEP_MS,
    staleTime: isLive ? 0 : Number.POSITIVE_INFINITY,
    queryFn: () => readNewer(client.getQueryData<Series>(queryKey), request, isLive),
  };
}

/** Reads what is newer than the series that is there; all of it where nothing is, or where its data changed. */
async function readNewer(
  former: Series | undefined,
  request: SeriesRequest,
  isLive: boolean,
): Promise<Series> {
  const { from, to, stepMs } = request;
  const last = former?.points.at(-1)?.t;
  if (former === undefined || last === undefined || !isLive || to - last > MAX_NEW_STEPS * stepMs)
    return readSeries(request);
  const start = Math.max(floor(last, stepMs) - REREAD_STEPS * stepMs, floor(from, stepMs));
  const newer = await readSeries({ ...request, from: start });
  if (newer.stepMs !== former.stepMs || newer.tier !== former.tier) return readSeries(request);
  return { ...newer, points: mergePoints(former.points, newer.points, from - stepMs) };
}

function floor(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}
