import { toIso } from '@tidewatch/contracts/time/time';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import type { AlertInstanceState } from '@tidewatch/domain/alerting/alert-instance-state';
import type { SampleReference } from '../alerts/transitions.ts';

export interface StateKey {
  organizationId: string;
  ruleId: string;
  serviceId: string;
  subject: Subject;
}

/** The state of an alert instance (rule, service, subject). Times are ms. */
export interface StateWrite
  extends StateKey,
    Omit<AlertInstanceState, 'firedAt' | 'valueAtFire' | 'severity' | 'noData'> {
  /** The stream of the subject that the rule evaluates. */
  stream: string;
  /** The active alert; null while pending. */
  alertId: string | null;
  /** The sample with which a pending state began; null for other states. */
  opened: SampleReference | null;
}

/** Stores states that are pending or active; a call may contain each key once. */
export async function upsertStates(tx: Queryable, states: readonly StateWrite[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map((s) => ({
    organization_id: s.organizationId,
    rule_id: s.ruleId,
    service_id: s.serviceId,
    kind: s.subject.kind,
    name: s.subject.name,
    state: s.state,
    pending_since: toIso(s.pendingSince),
    clear_since: s.clearSince === null ? null : toIso(s.clearSince),
    evaluated_at: toIso(s.evaluatedAt),
    value: s.value,
    peak_value: s.peakValue,
    flap_count: s.flapCount,
    alert_id: s.alertId,
    stream: s.stream,
    levels: s.levels,
    missed: s.missed,
    opened: s.opened,
  }));
  await tx`
    insert into rule_states (organization_id, rule_id, service_id, subject_kind, subject_name, state, pending_since, clear_since,
      evaluated_at, value, peak_value, flap_count, alert_id, stream, levels, missed, opened)
    select organization_id, rule_id, service_id, kind, name, state, pending_since, clear_since, evaluated_at, value, peak_value,
      flap_count, alert_id, stream, levels, missed, opened
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(organization_id text, rule_id text, service_id text, kind text, name text,
      state text, pending_since timestamptz, clear_since timestamptz, evaluated_at timestamptz, value float8,
      peak_value float8, flap_count integer, alert_id text, stream text, levels jsonb, missed smallint,
      opened jsonb)
    order by organization_id, service_id, rule_id, kind, name
    on conflict (organization_id, service_id, rule_id, subject_kind, subject_name) do update set
      state = excluded.state, pending_since = excluded.pending_since, clear_since = excluded.clear_since,
      evaluated_at = excluded.evaluated_at, value = excluded.value, peak_value = excluded.peak_value,
      flap_count = excluded.flap_count, alert_id = excluded.alert_id, stream = excluded.stream, levels = excluded.levels,
      missed = excluded.missed, opened = excluded.opened`;
}

/** Deletes the states of alert instances that are inactive again. */
export async function deleteStates(tx: Queryable, keys: readonly StateKey[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map((k) => ({
    organization_id: k.organizationId,
    rule_id: k.ruleId,
    service_id: k.serviceId,
    kind: k.subject.kind,
    name: k.subject.name,
  }));
  await tx`
    delete from rule_states s
    using json_to_recordset(${JSON.stringify(rows)}::text::json) as r(organization_id text, rule_id text, service_id text, kind text,
      name text)
    where s.organization_id = r.organization_id and s.rule_id = r.rule_id and s.service_id = r.service_id
      and s.subject_kind = r.kind and s.subject_name = r.name`;
}

/** Changes of the counts of a rule, and when the rule was last evaluated (ms, server's clock; null if it was not). */
export interface ActivityWrite {
  organizationId: string;
  ruleId: string;
  pending: number;
  firing: number;
  evaluatedAt: number | null;
}

/** Adds to the counts of pending and active alert instances; a call may contain each rule once. */
export async function addActivity(tx: Queryable, activities: readonly ActivityWrite[]): Promise<void> {
  if (activities.length === 0) return;
  const rows = activities.map((a) => ({
    organization_id: a.organizationId,
    rule_id: a.ruleId,
    pending: a.pending,
    firing: a.firing,
    at: a.evaluatedAt === null ? null : toIso(a.evaluatedAt),
  }));
  await tx`
    insert into rule_activity as a (organization_id, rule_id, last_evaluated_at, pending_count, firing_count)
    select organization_id, rule_id, at, pending, firing
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as r(organization_id text, rule_id text, pending integer, firing integer, at timestamptz)
    order by organization_id, rule_id
    on conflict (organization_id, rule_id) do update set
      last_evaluated_at = greatest(a.last_evaluated_at, excluded.last_evaluated_at),
      pending_count = greatest(0, a.pending_count + excluded.pending_count),
      firing_count = greatest(0, a.firing_count + excluded.firing_count)`;
}
