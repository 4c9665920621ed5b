import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { SeriesSubject } from '@tidewatch/contracts/services/series';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import type { HostName } from '@tidewatch/domain/investigation/facts';
import type { EvidenceDraft } from '@tidewatch/domain/investigation/finding';
import type { Tier } from '@tidewatch/domain/rollup/buckets';
import { tierForStep } from '@tidewatch/domain/rollup/buckets';
import { compileSelector } from '@tidewatch/domain/rules/selector';
import { readPartsAt } from '../../parts/parts-at.ts';
import { readSeries } from '../../series/read.ts';
import { storedSnapshots } from '../../snapshots/stored-snapshots.ts';
import { alertsSource, metricSource, partsSource, snapshotSource } from '../facts/sources.ts';
import { snapshotPoints } from './snapshot-points.ts';

/** The database, organization and retention that evidence is read with. */
export interface EvidenceContext {
  sql: Sql;
  organizationId: string;
  /** The time from which on each tier has all rows, ms. */
  retained: Readonly<Record<Tier, number>>;
}

/** ms, `[from, to)` */
interface Range {
  from: number;
  to: number;
}

const MAX_POINTS = 240;
const MAX_ROWS = 100;
const MAX_PARTS = 256;
const STEPS_MS = [60_000, 300_000, 900_000, HOUR_MS, 21_600_000, DAY_MS];
/** The maximum number of hosts that are matched with a pattern. */
const MAX_HOSTS = 5_000;

/** A metric of a host, or of one of its containers or parts; `part` is kind and name, such as `filesystem:/var`. */
interface SeriesName {
  host: string;
  metric: string;
  container: string | null;
  part?: string;
}

/** A metric of a host or of one of its containers in equal steps; null if it has no points. */
export async function readSeriesEvidence(
  { sql, organizationId, retained }: EvidenceContext,
  { host, metric, container, part, from, to }: Range & SeriesName,
): Promise<EvidenceDraft | null> {
  const named = await findHost(sql, organizationId, host);
  if (named === null || from >= to) return null;
  const fits = STEPS_MS.filter((step) => (to - from) / step <= MAX_POINTS);
  const stepMs = fits.find((step) => from >= retained[tierForStep(step)]) ?? fits.at(-1) ?? DAY_MS;
  const subject: SeriesSubject =
    part !== undefined
      ? { kind: 'part', name: part }
      : container === null
        ? { kind: 'host', name: host }
        : { kind: 'container', name: container };
  const [series] = await readSeries(sql, {
    organizationId,
    serviceId: named.serviceId,
    subject,
    metrics: [metric],
    tier: tierForStep(stepMs),
    stepMs,
    from,
    to,
    retained,
  });
  if (series === undefined || series.points.at.length === 0) return null;
  const { at, avg, min, max, count } = series.points;
  const source = metricSource(named, subject, metric, { from, to }, stepMs / 1_000);
  return {
    ...source,
    ref: refOf(source.ref, { from, to }),
    stats: {
      least: Math.min(...min),
      greatest: Math.max(...max),
      samples: count.reduce((sum, each) => sum + each, 0),
    },
    points: Array.from(at.subarray(0, MAX_POINTS), (time, index) => ({
      t: toIso(time),
      value: avg[index] ?? null,
    })),
  };
}

/** Processes and containers of the newest snapshot at or before a time; null if there is none. */
export async function readSnapshotEvidence(
  { sql, organizationId }: EvidenceContext,
  { host, at }: { host: string; at: number },
): Promise<EvidenceDraft | null> {
  const named = await findHost(sql, organizationId, host);
  if (named === null) return null;
  const span = { organizationId, serviceId: named.serviceId, from: Number.NEGATIVE_INFINITY, to: at + 1 };
  const [[newest] = []] = await storedSnapshots.newest(sql, [span], 'processes');
  if (newest === undefined) return null;
  const { time, list: processes } = newest;
  const sameTime = { ...span, from: time, to: time + 1 };
  const [[ofContainers] = []] = await storedSnapshots.lists(sql, [sameTime], 'containers');
  const points = snapshotPoints({ processes, containers: ofContainers?.list ?? [] }, MAX_ROWS);
  if (points.length === 0) return null;
  const source = snapshotSource(named, { from: time, to: time + 1 });
  return {
    ...source,
    ref: refOf(source.ref, { from: time, to: time + 1 }),
    stats: { time: toIso(time) },
    points,
  };
}

/**
 * Parts of the newest payload that had some at or before a time, with the values of then as JSON; null if there are none. `kind`: null
 * for any.
 */
export async function readPartEvidence(
  { sql, organizationId }: EvidenceContext,
  { host, kind, at }: { host: string; kind: string | null; at: number },
): Promise<EvidenceDraft | null> {
  const named = await findHost(sql, organizationId, host);
  if (named === null) return null;
  const { time, list } = await readPartsAt(sql, organizationId, named.serviceId, at);
  const parts = list.filter((part) => kind === null || part.kind === kind);
  if (time === null || parts.length === 0) return null;
  const source = partsSource(named, time);
  return {
    ...source,
    ref: `${refOf(source.ref, source)}${kind === null ? '' : `/${kind}`}`,
    stats: { time: toIso(time), parts: parts.length },
    points: parts.slice(0, MAX_PARTS).map(({ kind: own, name, metrics }) => ({
      part: partSubject(own, name),
      metrics: JSON.stringify(metrics),
    })),
  };
}

/** Alerts of a host that were active in a window; null if there is no such host. */
export async function readAlertEvidence(
  { sql, organizationId }: EvidenceContext,
  { host, from, to }: Range & { host: string },
): Promise<EvidenceDraft | null> {
  const named = await findHost(sql, organizationId, host);
  if (named === null) return null;
  const rows = await sql<
    {
      rule: string;
      severity: string;
      metric: string;
      fired: number;
      resolved: number | null;
      summary: string;
    }[]
  >`
    select rule_name as rule, severity, metric, fired_at as fired, resolved_at as resolved, summary from alerts
    where organization_id = ${organizationId} and service_id = ${named.serviceId} and not shadow
      and fired_at < ${toIso(to)}::timestamptz and coalesce(resolved_at >= ${toIso(from)}::timestamptz, true)
    order by fired_at desc, id desc limit ${MAX_ROWS}`;
  const source = alertsSource(named, { from, to });
  return {
    ...source,
    ref: refOf(source.ref, { from, to }),
    stats: { alerts: rows.length },
    points: rows.map(({ fired, resolved, ...alert }) => ({
      ...alert,
      fired_at: toIso(fired),
      resolved_at: resolved === null ? null : toIso(resolved),
    })),
  };
}

/** Hosts by a pattern of their name and by their tags, with their states. */
export async function readHostEvidence(
  { sql, organizationId }: EvidenceContext,
  { host, tags, limit }: { host: string | null; tags: Readonly<Record<string, string>>; limit: number },
  now: number,
): Promise<EvidenceDraft | null> {
  const matches = compileSelector({ ...(host !== null && { hosts: [host] }), tags: { ...tags } });
  const rows = await sql<{ host: string; tags: Record<string, string>; status: string }[]>`
    select host, tags, status from services
    where organization_id = ${organizationId} and deleted_at is null and archived_at is null
    order by host, id limit ${MAX_HOSTS}`;
  const found = rows.filter((row) => matches(row.host, row.tags));
  if (found.length === 0) return null;
  const shown = found.slice(0, Math.min(limit, MAX_ROWS));
  const asked = JSON.stringify({ host, tags });
  return {
    ref: `hosts:${asked}`,
    query: `GET /api/v1/services (matching ${asked})`,
    from: now,
    to: now + 1,
    stats: { matching: found.length },
    points: shown.map(({ host: name, tags: own, status }) => ({
      host: name,
      status,
      tags: JSON.stringify(own),
    })),
  };
}

async function findHost(sql: Sql, organizationId: string, host: string): Promise<HostName | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from services where organization_id = ${organizationId} and host = ${host} and deleted_at is null`;
  return row === undefined ? null : { serviceId: row.id, host };
}

/** A reference of evidence that includes the window, since one source returns different data for other windows. */
function refOf(ref: string, { from, to }: Range): string {
  return `${ref}@${toIso(from)}/${toIso(to)}`;
}
