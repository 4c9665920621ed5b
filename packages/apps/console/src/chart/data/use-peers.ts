import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { useChartGroup } from '../chart-group.tsx';
import type { ChartLine } from '../plot/picture.ts';
import { peerPoints } from './peer-points.ts';
import { stepFor } from './step.ts';

/** Reads of many hosts are repeated seldom. */
const TURN_MS = 60_000;
/** Peers are context: they need fewer points than the line. */
const PIXELS = 240;

/** The tag whose value peers share. */
export interface PeerTag {
  tag: string;
  value: string;
}

/** The median and the 5th to 95th percentile of the hosts with the same value of a tag, as a line behind that of the host. */
export function usePeers(
  metric: string,
  { tag, value }: Partial<PeerTag>,
  isNear: boolean,
): ChartLine | undefined {
  const { range, texts, isLive, now } = useChartGroup();
  const stepMs = Math.max(stepFor(range.to - range.from, PIXELS, null), 60_000);
  const turn = isLive ? Math.floor(now / TURN_MS) : 0;
  const { data } = useQuery({
    queryKey: ['peers', metric, tag, value, texts.from, texts.to ?? '', stepMs, turn],
    enabled: isNear && tag !== undefined && value !== undefined,
    gcTime: TURN_MS,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const read = (aggregate: 'p5' | 'p50' | 'p95') =>
        api.post('/api/v1/query', {
          body: {
            metric,
            selector: { tags: { [tag ?? '']: value ?? '' } },
            from: new Date(range.from).toISOString(),
            to: new Date(range.to).toISOString(),
            step: stepMs / 1_000,
            aggregate,
          },
          signal,
        }) as Promise<Schema<'FleetAnswer'>>;
      const [low, median, high] = await Promise.all([read('p5'), read('p50'), read('p95')]);
      return {
        points: peerPoints(low, median, high),
        stepMs: median.step_seconds * 1_000,
        services: median.services,
      };
    },
  });
  return useMemo(() => {
    if (data === undefined || tag === undefined) return undefined;
    return {
      name: `median and 5th to 95th percentile of ${data.services} hosts with ${tag}=${value}`,
      points: data.points,
      spacing: { stepMs: data.stepMs, intervalMs: null },
      shape: 'peers',
    };
  }, [data, tag, value]);
}
