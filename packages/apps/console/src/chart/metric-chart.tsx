import { unitOf } from '@tidewatch/contracts/values/unit';
import { type ReactNode, useMemo, useState } from 'react';
import { Problem } from '../components/problem.tsx';
import { visibleText } from '../components/visible-text.ts';
import { provenance } from './data/provenance.ts';
import { seriesCsvUrl } from './data/series-reader.ts';
import { type PeerTag, usePeers } from './data/use-peers.ts';
import { useSeries } from './data/use-series.ts';
import type { LaneEntry } from './lanes/lanes.ts';
import type { ChartThreshold } from './lanes/thresholds.ts';
import type { ChartLine } from './plot/picture.ts';
import { TimeChart } from './time-chart.tsx';

export interface MetricChartProps {
  serviceId: string;
  host: string;
  metric: string;
  /** `host`, or `container:` and a name. Default: host. */
  subject?: string;
  /** The usual time between payloads of the host, ms; null until it is known. */
  intervalMs: number | null;
  thresholds?: readonly ChartThreshold[];
  lanes?: readonly LaneEntry[];
  height?: number;
  /** The level of its heading. Default: 3. */
  level?: 2 | 3;
  /** Adds the median and the 5th to 95th percentile of the hosts that share this tag. */
  peers?: PeerTag | undefined;
  actions?: ReactNode;
}

const NO_TAG = {};

/** A metric of a host, or of one of its containers, over the range of the page. It reads while it is in view. */
export function MetricChart(props: MetricChartProps) {
  const { serviceId, host, metric, subject = 'host', intervalMs, peers: peerTag, ...rest } = props;
  const [view, setView] = useState({ isNear: false, width: 0 });
  const { answers, stepMs, requests } = useSeries([{ serviceId, subject, metric }], intervalMs, view);
  const { data, error, refetch } = answers[0] as (typeof answers)[number];
  const peers = usePeers(metric, subject === 'host' ? (peerTag ?? NO_TAG) : NO_TAG, view.isNear);
  const lines = useMemo(() => {
    if (data === undefined) return undefined;
    const name = visibleText(subject === 'host' ? host : `${host}, ${subject}`);
    const own: ChartLine = {
      name,
      points: data.points,
      spacing: { stepMs: data.stepMs, intervalMs },
      shape: 'band',
    };
    return peers === undefined ? [own] : [own, peers];
  }, [data, host, subject, intervalMs, peers]);
  const source = { tier: data?.tier ?? '', stepMs: data?.stepMs ?? stepMs, intervalMs };
  return (
    <TimeChart
      title={visibleText(metric)}
      metric={metric}
      unit={unitOf(metric)}
      lines={lines ?? (error ? [] : undefined)}
      provenance={data === undefined ? '' : provenance(source, 'mean, min to max')}
      csvUrl={requests[0] && seriesCsvUrl(requests[0])}
      linkSearch={{ metric, ...(subject !== 'host' && { subject }) }}
      onView={setView}
      {...(error && { notice: <Problem error={error} retry={() => void refetch()} /> })}
      {...rest}
    />
  );
}
