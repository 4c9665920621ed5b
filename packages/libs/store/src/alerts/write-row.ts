import type { Alert, AlertContext } from '@tidewatch/contracts/alerts/alert';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Subject } from '@tidewatch/contracts/values/subject';

/** A row of `alerts`, column by column. Times are ms. */
export interface AlertRow {
  organization_id: string;
  id: string;
  rule_id: string;
  rule_name: string;
  rule_version: number;
  service_id: string;
  host: string;
  subject_kind: Subject['kind'];
  subject_name: string;
  status: 'active' | 'resolved';
  state: 'firing' | 'recovering' | 'resolved';
  severity: 'critical' | 'warning' | 'info';
  metric: string;
  condition: Alert['condition'];
  threshold: number | null;
  threshold_max: number | null;
  value: number | null;
  value_at_fire: number | null;
  peak_value: number | null;
  summary: string;
  pending_since: number | null;
  fired_at: number;
  resolved_at: number | null;
  resolution: Alert['resolution'];
  acknowledged_at: number | null;
  acknowledged_by: Alert['acknowledged_by'];
  silenced_by: string | null;
  /** The end of the silence that mutes the alert; null if it is not muted. */
  silenced_until: number | null;
  flap_count: number;
  backfilled: boolean;
  /** When a fresh sample confirmed a backfilled alert; null if none has, or the alert is not backfilled. */
  confirmed_at: number | null;
  shadow: boolean;
  no_data: boolean;
  context: AlertContext;
  comments: Alert['comments'];
  investigation_id: string | null;
  created_at: number;
  updated_at: number;
  /** Set only if the query selected it; events do not contain it. */
  notifications?: Alert['notifications'];
}

/** The host, container, process or part that the alert is about. */
export function subjectOf(row: Pick<AlertRow, 'subject_kind' | 'subject_name'>): Subject {
  return { kind: row.subject_kind, name: row.subject_name };
}

/** The alert's record as events contain it and the API returns it. */
export function alertRecord(row: AlertRow): Alert {
  const time = (ms: number | null) => (ms === null ? null : toIso(ms));
  return {
    id: row.id,
    rule_id: row.rule_id,
    rule_name: row.rule_name,
    rule_version: row.rule_version,
    service_id: row.service_id,
    host: row.host,
    subject: subjectOf(row),
    status: row.status,
    state: row.state,
    severity: row.severity,
    metric: row.metric,
    condition: row.condition,
    threshold: row.threshold,
    threshold_max: row.threshold_max,
    value: row.value,
    value_at_fire: row.value_at_fire,
    peak_value: row.peak_value,
    summary: row.summary,
    pending_since: time(row.pending_since),
    fired_at: toIso(row.fired_at),
    resolved_at: time(row.resolved_at),
    resolution: row.resolution,
    acknowledged_at: time(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
    silenced_by: row.silenced_by,
    flap_count: row.flap_count,
    backfilled: row.backfilled,
    shadow: row.shadow,
    no_data: row.no_data,
    context: row.context,
    notifications: row.notifications ?? [],
    comments: row.comments,
    investigation_id: row.investigation_id,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}
