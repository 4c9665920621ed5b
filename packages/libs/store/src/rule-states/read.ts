import type { Severity } from '@tidewatch/contracts/values/severity';
import type { PairState } from '@tidewatch/domain/alerting/pair-state';
import type { SampleReference } from '../alerts/transitions.ts';
import type { Queryable } from '../connection.ts';

/** State of a pair that is not inactive, with what its alert says. Times are ms. */
export interface StoredState extends Omit<PairState, 'severity' | 'noData'> {
  organizationId: string;
  ruleId: string;
  serviceId: string;
  subjectKind: 'host' | 'container' | 'process';
  subjectName: string;
  /** What of the subject the rule judged; null in rows of older versions. */
  stream: string | null;
  opened: SampleReference | null;
  alert: {
    metric: string;
    severity: Severity;
    ruleVersion: number;
    condition: string;
    threshold: number;
    thresholdMax: number | null;
    shadow: boolean;
    noData: boolean;
  } | null;
}

/** Names a service: its organization and its id. */
export interface ServiceKey {
  org: string;
  id: string;
}

/** All states of the named services. */
export async function readStates(sql: Queryable, serviceIds: readonly string[]): Promise<StoredState[]> {
  return sql<StoredState[]>`
    select s.org_id as "organizationId", s.rule_id as "ruleId", s.service_id as "serviceId", s.state,
      s.pending_since as "pendingSince", s.clear_since as "clearSince", s.judged_at as "judgedAt", s.value,
      s.peak_value as "peakValue", s.flap_count as "flapCount", s.alert_id as "alertId", a.fired_at as "firedAt",
      a.value_at_fire as "valueAtFire", s.subject_kind as "subjectKind", s.subject_name as "subjectName", s.stream,
      s.levels, s.missed, s.opened,
      case when a.id is not null then json_build_object('metric', a.metric, 'severity', a.severity,
        'ruleVersion', a.rule_version, 'condition', a.condition, 'threshold', a.threshold,
        'thresholdMax', a.threshold_max, 'shadow', a.shadow, 'noData', a.no_data) end as alert
    from rule_states s left join alerts a on a.org_id = s.org_id and a.id = s.alert_id
    where s.service_id in (select json_array_elements_text(${JSON.stringify(serviceIds)}::text::json))`;
}

/** A service as the rules know it. */
export interface ServiceWithState extends ServiceKey {
  host: string;
}

/** Services with a state under one of the rules, or under any rule where none are named. */
export async function readServicesWithState(
  sql: Queryable,
  ruleIds: readonly string[] | null,
): Promise<ServiceWithState[]> {
  const among =
    ruleIds === null
      ? sql``
      : sql`where rule_id in (select json_array_elements_text(${JSON.stringify(ruleIds)}::text::json))`;
  return sql<ServiceWithState[]>`
    select s.org_id as org, s.id, s.host
    from (select distinct org_id, service_id from rule_states ${among}) judged
    join services s on s.org_id = judged.org_id and s.id = judged.service_id
    order by 1, 2`;
}
