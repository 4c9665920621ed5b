import { unitOf } from '@tidewatch/contracts/values/unit';
import { useMemo, useState } from 'react';
import { Problem } from '../components/problem.tsx';
import { visibleText } from '../components/visible-text.ts';
import { limitLines } from './data/limit-lines.ts';
import { provenance } from './data/provenance.ts';
import { useSeries } from './data/use-series.ts';
import type { ChartLine } from './plot/picture.ts';
import { TimeChart } from './time-chart.tsx';

export interface ComparedHost {
  id: string;
  name: string;
  intervalMs: number | null;
}

/** One metric of several hosts, a line for each. */
export function CompareChart({ metric, hosts }: { metric: string; hosts: readonly ComparedHost[] }) {
  const [view, setView] = useState({ isNear: false, width: 0 });
  const intervals = hosts.map(({ intervalMs }) => intervalMs ?? 0);
  const intervalMs = Math.max(...intervals) || null;
  const wanted = hosts.map(({ id }) => ({ serviceId: id, subject: 'host', metric }));
  const { answers, stepMs } = useSeries(wanted, intervalMs, view);
  const series = answers.map(({ data }) => data);
  const failed = answers.find(({ error }) => error !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: series of which nothing is new are the same objects
  const lines = useMemo(() => linesOf(hosts, series), [hosts, ...series]);
  const [first] = series.filter((each) => each !== undefined);
  const source = { tier: first?.tier ?? '', stepMs: first?.stepMs ?? stepMs, intervalMs };
  return (
    <TimeChart
      title={visibleText(metric)}
      metric={metric}
      unit={unitOf(metric)}
      lines={lines ?? (failed ? [] : undefined)}
      provenance={first === undefined ? '' : provenance(source, 'means')}
      onView={setView}
      {...(failed && { notice: <Problem error={failed.error} retry={() => void failed.refetch()} /> })}
    />
  );
}

function linesOf(
  hosts: readonly ComparedHost[],
  series: readonly ({ points: ChartLine['points']; stepMs: number } | undefined)[],
): ChartLine[] | undefined {
  if (series.every((each) => each === undefined)) return undefined;
  const lines = hosts.map(({ name, intervalMs }, index): ChartLine => {
    const { points = [], stepMs = 1 } = series[index] ?? {};
    return { name, points, spacing: { stepMs, intervalMs }, shape: 'line' };
  });
  return limitLines(lines);
}
