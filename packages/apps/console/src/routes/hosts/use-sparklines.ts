import { useQueries } from '@tanstack/react-query';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { serverNow } from '../../components/time/clock.ts';
import type { FleetMetric } from '../../fleet/fleet.ts';
import { sparkPath } from './spark-path.ts';

const MINUTES = 60;
/** Rows that stay visible for so long are read, ms. */
const PAUSE_MS = 150;

/** The path of the last hour of each metric of the visible hosts by `metric host`: one request for each metric, once scrolling pauses. */
export function useSparklines(
  visible: readonly string[],
  metrics: readonly FleetMetric[],
): ReadonlyMap<string, string> {
  const settled = useSettled(visible);
  return useQueries({
    combine: useCallback(
      (answers: { data: Awaited<ReturnType<typeof readSparklines>> | undefined }[]) => {
        const all = new Map<string, string>();
        for (const [place, { data }] of answers.entries())
          for (const [host, path] of data ?? []) all.set(`${metrics[place]} ${host}`, path);
        return all;
      },
      [metrics],
    ),
    queries: metrics.map((metric) => ({
      queryKey: ['sparklines', metric, settled],
      enabled: settled.length > 0,
      staleTime: MINUTE_MS,
      refetchInterval: MINUTE_MS,
      // Another hour has other paths; to compare them all with the former ones would be in vain.
      structuralSharing: false,
      queryFn: ({ signal }: { signal: AbortSignal }) => readSparklines(metric, settled, signal),
    })),
  });
}

function useSettled(visible: readonly string[]): readonly string[] {
  const [settled, setSettled] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(
      () => setSettled((former) => (former.join('\0') === visible.join('\0') ? former : visible)),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [visible]);
  return settled;
}

async function readSparklines(metric: FleetMetric, hosts: readonly string[], signal: AbortSignal) {
  const to = Math.ceil(serverNow() / MINUTE_MS) * MINUTE_MS;
  const from = to - MINUTES * MINUTE_MS;
  const { series } = await api.post('/api/v1/query', {
    body: {
      metric,
      selector: { hosts: [...hosts] },
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      step: 60,
      top: hosts.length,
    },
    signal,
  });
  return series.map(({ group, points }) => {
    const read = points.map(({ t, value }) => ({ minute: (Date.parse(t) - from) / MINUTE_MS, value }));
    return [group ?? '', sparkPath(read)] as const;
  });
}
