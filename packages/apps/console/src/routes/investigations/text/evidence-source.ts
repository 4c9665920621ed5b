import { type Unit, unitOf } from '@tidewatch/contracts/values/unit';
import type { ChartPoint } from '../../../chart/data/gaps.ts';
import type { Evidence, Finding } from '../investigation-reads.ts';

/** What a piece of evidence is about. */
export interface EvidenceSource {
  /** "cpu_percent", "reindex, memory", "earlier alerts". */
  name: string;
  unit: Unit | null;
  metric: string;
  /** The page of the host with the same metric; absent for what no page charts. */
  chart?: { serviceId: string; search: { metric: string; subject?: string; from: string; to: string } };
}

const SERIES = /^GET \/api\/v1\/services\/(svc_[0-9a-f]+)\/metrics\?(.*)$/;
/** What the other requests of evidence read, in words. */
const LISTS: readonly (readonly [beginning: string, name: string])[] = [
  ['GET /api/v1/alerts/rules/', 'the rule that changed'],
  ['GET /api/v1/alerts?', 'earlier alerts'],
  ['GET /api/v1/markers?', 'the marker'],
  ['select at, before, after from tag_changes', 'the change of tags'],
];

/** Names what was read for a piece of evidence, by its query. `hosts` are the names of hosts by the id of their service. */
export function sourceOf(
  { query, from, to, stats }: Evidence,
  hosts: ReadonlyMap<string, string>,
): EvidenceSource {
  const series = SERIES.exec(query);
  if (series !== null) {
    const [, serviceId = '', search] = series;
    const parameters = new URLSearchParams(search);
    const metric = parameters.get('metrics') ?? '';
    const subject = parameters.get('subject');
    return {
      name: [metric, subject?.replace(':', ' '), hosts.get(serviceId)].filter(Boolean).join(' of '),
      unit: unitOf(metric),
      metric,
      chart: { serviceId, search: { metric, ...(subject !== null && { subject }), from, to } },
    };
  }
  const { name, resource } = stats;
  if (typeof name === 'string') {
    const metric = resource === 'memory' ? 'memory_rss' : resource === 'cpu' ? 'cpu_percent' : '';
    return {
      name: typeof resource === 'string' ? `${name}, ${resource}` : name,
      unit: unitOf(metric),
      metric,
    };
  }
  const list = LISTS.find(([beginning]) => query.startsWith(beginning));
  return { name: list?.[1] ?? query, unit: null, metric: '' };
}

/** The points of a series, for a chart; none where the evidence is a table. */
export function seriesPoints({ points }: Pick<Evidence, 'points'>): ChartPoint[] {
  return points.flatMap(({ t, value }) => {
    const at = typeof t === 'string' ? Date.parse(t) : Number.NaN;
    if (Number.isNaN(at) || typeof value !== 'number') return [];
    return [{ t: at, avg: value, min: value, max: value }];
  });
}

/** The usual distance of points, ms: the median. Long evidence is thinned evenly. */
export function spacingOf(points: readonly ChartPoint[]): number {
  const distances = points.slice(1).map(({ t }, index) => t - (points[index]?.t ?? t));
  distances.sort((a, b) => a - b);
  return distances[distances.length >> 1] ?? 60_000;
}

/** The columns of the points as a table, in the order in which they first occur. */
export function columnsOf({ points }: Pick<Evidence, 'points'>): string[] {
  return [...new Set(points.flatMap((point) => Object.keys(point)))];
}

/** The first piece of evidence of a finding that is a series. */
export function seriesOf(
  finding: Finding | undefined,
  evidence: ReadonlyMap<string, Evidence>,
): Evidence | undefined {
  return finding?.evidence_ids
    .flatMap((id) => evidence.get(id) ?? [])
    .find((piece) => seriesPoints(piece).length > 1);
}
