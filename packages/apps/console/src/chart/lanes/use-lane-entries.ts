import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { subjectWords } from '@tidewatch/contracts/values/named-subject';
import { compileSelector } from '@tidewatch/domain/rules/selector';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { visibleText } from '../../components/visible-text.ts';
import { useChartGroup } from '../chart-group.tsx';
import type { Range } from '../data/range.ts';
import { findingEntries } from './finding-entries.ts';
import type { LaneEntry } from './lanes.ts';

export interface LaneOptions {
  serviceId: string;
  host: string;
  tags: Readonly<Record<string, string>>;
}

export interface Lanes {
  entries: readonly LaneEntry[];
  /** Whether any kind of entry is still being read for the first time. */
  isPending: boolean;
}

const PAGE = 100;
const MAX_PAGES = 10;
/** The API lists changes and windows of silences over no longer range. */
const MAX_WINDOWS_MS = 92 * DAY_MS;
/** The entries of a range that ends now are read again at this interval, ms, or earlier if an event concerns them. */
const TURN_MS = 30_000;

/** What happened to a host in the range of the page: its alerts, silences, findings about it, and markers that chose it. */
export function useLaneEntries(options: LaneOptions): Lanes {
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
    queryKey: ['changes', 'lane', ...key],
    queryFn: () => readChanges(options, range),
  });
  const silences = useQuery({
    ...common,
    // Which silences match depends on the tags, which a page may know later than the rest.
    queryKey: ['silences', 'lane', ...key, options.host, options.tags],
    placeholderData: (former: LaneEntry[] | undefined) => former,
    queryFn: () => readSilences(options, range),
  });
  // An alert that is active goes on until now.
  const until = isLive ? (turn + 1) * TURN_MS : range.to;
  const [fired, found, marked, silenced] = [alerts.data, findings.data, markers.data, silences.data];
  const entries = useMemo(
    () => [
      ...(fired ?? []).map((entry) => (Number.isNaN(entry.to) ? { ...entry, to: until } : entry)),
      ...(found ?? []),
      ...(marked ?? []),
      ...(silenced ?? []),
    ],
    [fired, found, marked, silenced, until],
  );
  return { entries, isPending: [alerts, findings, markers, silences].some((read) => read.isPending) };
}

async function readAlerts({ serviceId }: LaneOptions, { to }: Range): Promise<LaneEntry[]> {
  const query = { service_id: serviceId, status: 'all', to: iso(to + TURN_MS), limit: PAGE } as const;
  const { alerts } = (await api.get('/api/v1/alerts', { params: { query } })) as Schema<'AlertsPage'>;
  return alerts.map((alert) => ({
    id: alert.id,
    kind: 'alerts',
    name: visibleText(`Alert: ${alert.rule_name}, ${alert.metric}${subjectText(alert.subject)}`),
    metric: alert.metric,
    severity: alert.severity,
    from: Date.parse(alert.fired_at),
    to: alert.resolved_at === null ? Number.NaN : Date.parse(alert.resolved_at),
    page: { name: 'alert', id: alert.id },
  }));
}

function subjectText(subject: Schema<'Subject'>): string {
  return subject.kind === 'host' ? '' : ` of ${subjectWords(subject)}`;
}

async function readFindings({ serviceId }: LaneOptions, { to }: Range): Promise<LaneEntry[]> {
  const query = { service_id: serviceId, to: iso(to + TURN_MS), limit: PAGE } as const;
  const page = (await api.get('/api/v1/investigations', {
    params: { query },
  })) as Schema<'InvestigationsPage'>;
  return page.investigations.flatMap((investigation) => findingEntries(investigation));
}

/** Markers that chose the host, tags that changed, and rules that were changed. */
async function readChanges({ serviceId }: LaneOptions, { from, to }: Range): Promise<LaneEntry[]> {
  const query = { from: iso(Math.max(from, to - MAX_WINDOWS_MS)), to: iso(to + TURN_MS) };
  const params = { path: { id: serviceId }, query };
  const { changes } = (await api.get('/api/v1/services/{id}/changes', {
    params,
  })) as Schema<'ServiceChanges'>;
  return changes.map(({ kind, id, at, title }) => {
    const time = Date.parse(at);
    const name = visibleText(kind === 'marker' ? `Marker: ${title}` : `Change: ${title}`);
    return { id: `${id ?? kind} ${at} ${title}`, kind: 'markers', name, from: time, to: time };
  });
}

/** The windows of silences whose hosts and tags match; what they mute may be limited to some rules. */
async function readSilences({ host, tags }: LaneOptions, { from, to }: Range): Promise<LaneEntry[]> {
  const query = { from: iso(Math.max(from, to - MAX_WINDOWS_MS)), to: iso(to) };
  const [{ windows }, silences] = await Promise.all([
    api.get('/api/v1/silences/windows', { params: { query } }),
    allSilences(),
  ]);
  const matching = new Map(
    silences
      .filter(({ matchers }) => compileSelector({ hosts: matchers.hosts, tags: matchers.tags })(host, tags))
      .map((silence) => [silence.id, silence]),
  );
  return windows.flatMap(({ silence_id: id, from: start, until }) => {
    const silence = matching.get(id);
    if (silence === undefined) return [];
    const name = visibleText(`Silence: ${silence.comment || 'no comment'}`);
    return [
      {
        id: `${id} ${start}`,
        kind: 'silences' as const,
        name,
        from: Date.parse(start),
        to: Date.parse(until),
      },
    ];
  });
}

async function allSilences(): Promise<Schema<'Silence'>[]> {
  const silences: Schema<'Silence'>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor !== null && { cursor }) };
    const answer = (await api.get('/api/v1/silences', { params: { query } })) as Schema<'SilencesPage'>;
    silences.push(...answer.silences);
    cursor = answer.pagination.next_cursor;
    if (cursor === null) break;
  }
  return silences;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
