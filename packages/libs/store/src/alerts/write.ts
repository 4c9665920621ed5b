import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';
import type { AlertRow } from './write-row.ts';

/** Stores new alerts. */
export async function insertAlerts(tx: Queryable, alerts: readonly AlertRow[]): Promise<void> {
  if (alerts.length === 0) return;
  const rows = alerts.map((alert) => ({
    ...alert,
    pending_since: alert.pending_since === null ? null : toIso(alert.pending_since),
    fired_at: toIso(alert.fired_at),
    resolved_at: alert.resolved_at === null ? null : toIso(alert.resolved_at),
    silenced_until: alert.silenced_until === null ? null : toIso(alert.silenced_until),
    confirmed_at: alert.confirmed_at === null ? null : toIso(alert.confirmed_at),
    created_at: toIso(alert.created_at),
    updated_at: toIso(alert.updated_at),
  }));
  await tx`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, threshold, threshold_max, value, value_at_fire, peak_value, summary,
      pending_since, fired_at, resolved_at, resolution, silenced_by, silenced_until, flap_count, backfilled, confirmed_at,
      shadow, no_data, context, created_at, updated_at)
    select organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, threshold, threshold_max, value, value_at_fire, peak_value, summary,
      pending_since, fired_at, resolved_at, resolution, silenced_by, silenced_until, flap_count, backfilled, confirmed_at,
      shadow, no_data, context, created_at, updated_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(organization_id text, id text, rule_id text, rule_name text,
      rule_version integer, service_id text, host text, subject_kind text, subject_name text, status text, state text, severity text, metric text,
      condition text, threshold float8, threshold_max float8, value float8, value_at_fire float8, peak_value float8,
      summary text, pending_since timestamptz, fired_at timestamptz, resolved_at timestamptz, resolution text,
      silenced_by text, silenced_until timestamptz, flap_count integer, backfilled boolean, confirmed_at timestamptz, shadow boolean,
      no_data boolean, context jsonb, created_at timestamptz, updated_at timestamptz)
    order by organization_id, id`;
}

/** The version, severity and thresholds of the rule that an alert was evaluated by. */
export interface AlertTerms {
  version: number;
  severity: 'critical' | 'warning' | 'info';
  condition: string;
  threshold: number;
  thresholdMax: number | null;
}

/** A change of an alert by the evaluator. Null `terms` or `mute` keep the stored ones. */
export interface AlertChange {
  organizationId: string;
  id: string;
  state: 'firing' | 'recovering' | 'resolved';
  value: number | null;
  peakValue: number | null;
  flapCount: number;
  resolvedAt: number | null;
  resolution: string | null;
  updatedAt: number;
  terms: AlertTerms | null;
  mute: { by: string | null; until: number | null } | null;
  /** When a fresh sample confirmed the breach, ms; null keeps the stored time. */
  confirmedAt: number | null;
}

/**
 * Applies changes to alerts that are still active; a call may contain each alert once. Returns the changed rows of the ids
 * in `wanted`.
 */
export async function updateAlerts(
  tx: Queryable,
  changes: readonly AlertChange[],
  wanted: ReadonlySet<string>,
): Promise<AlertRow[]> {
  if (changes.length === 0) return [];
  const rows = changes.map((c) => ({
    org: c.organizationId,
    id: c.id,
    status: c.state === 'resolved' ? 'resolved' : 'active',
    state: c.state,
    value: c.value,
    peak: c.peakValue,
    flaps: c.flapCount,
    resolved_at: c.resolvedAt === null ? null : toIso(c.resolvedAt),
    resolution: c.resolution,
    updated_at: toIso(c.updatedAt),
    version: c.terms?.version ?? null,
    severity: c.terms?.severity ?? null,
    condition: c.terms?.condition ?? null,
    threshold: c.terms?.threshold ?? null,
    threshold_max: c.terms?.thresholdMax ?? null,
    muted: c.mute !== null,
    muted_by: c.mute?.by ?? null,
    muted_until: c.mute?.until == null ? null : toIso(c.mute.until),
    confirmed: c.confirmedAt === null ? null : toIso(c.confirmedAt),
    wanted: wanted.has(c.id),
  }));
  return tx<AlertRow[]>`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, id text, status text,
        state text, value float8, peak float8, flaps integer, resolved_at timestamptz, resolution text,
        updated_at timestamptz, version integer, severity text, condition text, threshold float8, threshold_max float8,
        muted boolean, muted_by text, muted_until timestamptz, confirmed timestamptz,
        wanted boolean)
    ), locked as materialized (
      -- Locked together with the changes: a join of two lists of unknown length compares each row with each. The lateral
      -- join looks the alerts up one by one; a plain join may read all active alerts for the few that change.
      select r.* from (select * from r order by org, id) r
      cross join lateral (
        select from alerts a where a.organization_id = r.org and a.id = r.id and a.status = 'active' for update) a
    ), updated as (
      update alerts a set status = l.status, state = l.state, value = l.value, peak_value = l.peak, flap_count = l.flaps,
        resolved_at = l.resolved_at, resolution = l.resolution, updated_at = l.updated_at,
        rule_version = coalesce(l.version, a.rule_version), severity = coalesce(l.severity, a.severity),
        condition = coalesce(l.condition, a.condition), threshold = coalesce(l.threshold, a.threshold),
        threshold_max = case when l.version is null then a.threshold_max else l.threshold_max end,
        silenced_by = case when l.muted then l.muted_by else a.silenced_by end,
        silenced_until = case when l.muted then l.muted_until else a.silenced_until end,
        confirmed_at = coalesce(a.confirmed_at, l.confirmed)
      from locked l where a.organization_id = l.org and a.id = l.id
      returning l.wanted, a.*
    )
    select * from updated where wanted`;
}
