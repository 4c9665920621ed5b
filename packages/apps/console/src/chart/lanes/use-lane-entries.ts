import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { compileSelector } from '@tidewatch/domain/rules/selector';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { useChartGroup } from '../chart-group.tsx';
import type { Range } from '../data/range.ts';
import type { LaneEntry } from './lanes.ts';

export interface LaneOptions {
  serviceId: string;
  host: string;
  tags: Readonly<Record<string, string>>;
}

const PAGE = 100;
/** What is read of a live range goes on in turns of this length; events make it stale earlier. */
const TURN_MS = 30_000;

/** What happened to a host in the range of the page: its alerts, findings about it, and markers that chose it. */
export function useLaneEntries(options: LaneOptions): readonly LaneEntry[] {
  const { range, texts, isLive, now } = useChartGroup();
  const turn = isLive ? Math.floor(now / TURN_MS) : 0;
  const key = [options.serviceId, texts.from, texts.to ?? ''];
  const common = { staleTime: TURN_MS, refetchInterval: isLive ? TURN_MS : (false as const) };
  const alerts = useQuery({
    ...common,
    queryKey: ['related-alerts', 'lane', ...key],
    queryFn: () => readAlerts(options, range),
  });
  const findings = useQuery({
    ...common,
    queryKey: ['investigations', 'lane', ...key],
    queryFn: () => readFindings(options, range),
  });
  const markers = useQuery({
    ...common,
    queryKey: ['markers', 'lane', ...key],
    queryFn: () => readMarkers(options, range),
  });
  // An alert that is active goes on until now.
  const until = isLive ? (turn + 1) * TURN_MS : range.to;
  const [fired, found, marked] = [alerts.data, findings.data, markers.data];
  return useMemo(
    () => [
      ...(fired ?? []).map((entry) => (Number.isNaN(entry.to) ? { ...entry, to: until } : entry)),
      ...(found ?? []),
      ...(marked ?? []),
    ],
    [fired, found, marked, until],
  );
}

async function readAlerts({ serviceId }: LaneOptions, { to }: Range): Promise<LaneEntry[]> {
  const query = { service_id: serviceId, status: 'all', to: iso(to + TURN_MS), limit: PAGE } as const;
  const { alerts } = (await api.get('/api/v1/alerts', { params: { query } })) as Schema<'AlertsPage'>;
  return alerts.map((alert) => ({
    id: alert.id,
    kind: 'alerts',
    name: `Alert: ${alert.rule_name}, ${alert.metric}${subjectText(alert.subject)}`,
    metric: alert.metric,
    severity: alert.severity,
    from: Date.parse(alert.fired_at),
    to: alert.resolved_at === null ? Number.NaN : Date.parse(alert.resolved_at),
    page: { name: 'alert', id: alert.id },
  }));
}

function subjectText({ kind, name }: Schema<'Subject'>): string {
  return kind === 'host' ? '' : ` of ${kind} ${name}`;
}

async function readFindings({ serviceId }: LaneOptions, { to }: Range): Promise<LaneEntry[]> {
  const query = { service_id: serviceId, to: iso(to + TURN_MS), limit: PAGE } as const;
  const page = (await api.get('/api/v1/investigations', {
    params: { query },
  })) as Schema<'InvestigationsPage'>;
  return page.investigations.flatMap(({ id, findings }) =>
    findings
      .filter((finding) => finding.started_at !== null && finding.service_id === serviceId)
      .map(({ id: findingId, title, started_at }) => {
        const at = Date.parse(started_at ?? '');
        const name = `Finding: ${title}`;
        return {
          id: findingId,
          kind: 'findings' as const,
          name,
          from: at,
          to: at,
          page: { name: 'investigation' as const, id },
        };
      }),
  );
}

async function readMarkers({ host, tags }: LaneOptions, { from, to }: Range): Promise<LaneEntry[]> {
  const query = { from: iso(from), to: iso(to + TURN_MS), limit: PAGE };
  const { markers } = (await api.get('/api/v1/markers', { params: { query } })) as Schema<'MarkersPage'>;
  return markers
    .filter(({ selector }) => compileSelector(selector)(host, tags))
    .map(({ id, title, at }) => {
      const time = Date.parse(at);
      return { id, kind: 'markers', name: `Marker: ${title}`, from: time, to: time };
    });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
