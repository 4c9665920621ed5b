import type { Severity } from '@tidewatch/contracts/values/severity';
import type { PairState } from '@tidewatch/domain/alerting/pair-state';
import type { SampleReference } from '../alerts/transitions.ts';
import type { Queryable } from '../connection.ts';

/** State of a pair that is not inactive, with what its alert says. Times are ms. */
export interface StoredState extends Omit<PairState, 'severity' | 'noData'> {
  ruleId: string;
  subjectKind: 'host' | 'container' | 'process';
  subjectName: string;
  /** What of the subject the rule judged; null in rows of older versions. */
  stream: string | null;
  opened: SampleReference | null;
  /** The active alert; null while pending. */
  alertId: string | null;
  /** What it says of itself; null where there is none, or its row is gone. */
  alert: StoredAlert | null;
}

/** What a pair's alert says of itself. */
export interface StoredAlert {
  metric: string;
  severity: Severity;
  ruleVersion: number;
  condition: string;
  threshold: number;
  thresholdMax: number | null;
  shadow: boolean;
  noData: boolean;
  /** It began with an old sample, and no fresh one has confirmed it. */
  unconfirmed: boolean;
}

/** Names a service: its organization and its id. */
export interface ServiceKey {
  org: string;
  id: string;
}

/** What a state's own row says. */
type StateColumns = Omit<StoredState, 'alert' | 'firedAt' | 'valueAtFire'>;

/** A statement's states of one service, a list for each column: as rows they would cost five times as much to read. */
type Columns = { serviceId: string } & { [Name in keyof StateColumns]: StateColumns[Name][] };

/** Alerts that say the same of themselves, and a list for each column in which they differ. */
interface AlikeAlerts extends StoredAlert {
  ids: string[];
  firedAt: number[];
  valueAtFire: (number | null)[];
}

/** What is known of an alert beside its state. */
type AlertOfState = Pick<StoredState, 'alert' | 'firedAt' | 'valueAtFire'>;

const NO_ALERT: AlertOfState = { alert: null, firedAt: null, valueAtFire: null };

/** The states of one service. */
export interface StatesOfService {
  /** The rule of each. */
  ruleIds: readonly string[];
  /** Made anew each time, so that those of many services need not be kept at once. */
  all(): StoredState[];
}

/** All states of the named services, by service: they and their alerts from one snapshot. */
export async function readStates(
  sql: Queryable,
  services: readonly ServiceKey[],
): Promise<Map<string, StatesOfService>> {
  const rows = await sql<({ states: Columns; alerts: null } | { states: null; alerts: AlikeAlerts })[]>`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    )
    select row_to_json(c) as states, null as alerts from (${columnsOf(sql)}) c
    union all
    select null, row_to_json(g) from (${alikeAlertsOf(sql)}) g`;
  const alerts = new Map(rows.flatMap((row) => (row.alerts === null ? [] : eachOf(row.alerts))));
  return new Map(
    rows.flatMap(({ states }) =>
      states === null
        ? []
        : [[states.serviceId, { ruleIds: states.ruleId, all: () => statesOf(states, alerts) }]],
    ),
  );
}

/** Service by service: grouped all at once, the rows of a storm would be sorted on disk first. */
function columnsOf(sql: Queryable) {
  return sql`
    select r.id as "serviceId", c.* from r cross join lateral (
      select json_agg(s.rule_id) as "ruleId", json_agg(s.subject_kind) as "subjectKind",
        json_agg(s.subject_name) as "subjectName", json_agg(s.stream) as stream, json_agg(s.state) as state,
        json_agg(${ms(sql, 's.pending_since')}) as "pendingSince", json_agg(${ms(sql, 's.clear_since')}) as "clearSince",
        json_agg(${ms(sql, 's.judged_at')}) as "judgedAt", json_agg(s.value) as value, json_agg(s.peak_value) as "peakValue",
        json_agg(s.flap_count) as "flapCount", json_agg(s.missed) as missed, json_agg(s.levels) as levels,
        json_agg(s.opened) as opened, json_agg(s.alert_id) as "alertId"
      from rule_states s where s.org_id = r.org and s.service_id = r.id) c
    where c."ruleId" is not null`;
}

/** The alerts of the states. Those of one rule say nearly all the same: it is read once for all of them. */
function alikeAlertsOf(sql: Queryable) {
  return sql`
    select a.metric, a.severity, a.rule_version as "ruleVersion", a.condition, a.threshold,
      a.threshold_max as "thresholdMax", a.shadow, a.no_data as "noData",
      a.backfilled and a.confirmed_at is null as unconfirmed, json_agg(a.id) as ids,
      json_agg(${ms(sql, 'a.fired_at')}) as "firedAt", json_agg(a.value_at_fire) as "valueAtFire"
    from r cross join lateral (
      select a.* from rule_states s join alerts a on a.org_id = s.org_id and a.id = s.alert_id
      where s.org_id = r.org and s.service_id = r.id) a
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`;
}

function eachOf({ ids, firedAt, valueAtFire, ...alert }: AlikeAlerts): [id: string, AlertOfState][] {
  return ids.map((id, i) => [
    id,
    { alert, firedAt: firedAt[i] ?? null, valueAtFire: valueAtFire[i] ?? null },
  ]);
}

/** A time as a number, ms. */
function ms(sql: Queryable, column: string) {
  return sql.unsafe(`(date_part('epoch', ${column}) * 1000)::bigint`);
}

function statesOf(columns: Columns, alerts: ReadonlyMap<string, AlertOfState>): StoredState[] {
  return columns.ruleId.map((ruleId, i) => {
    const alertId = columns.alertId[i] as string | null;
    const { alert, firedAt, valueAtFire } = alerts.get(alertId ?? '') ?? NO_ALERT;
    return {
      ruleId,
      subjectKind: columns.subjectKind[i] as StoredState['subjectKind'],
      subjectName: columns.subjectName[i] as string,
      stream: columns.stream[i] as string | null,
      state: columns.state[i] as StoredState['state'],
      pendingSince: columns.pendingSince[i] as number,
      clearSince: columns.clearSince[i] as number | null,
      judgedAt: columns.judgedAt[i] as number,
      value: columns.value[i] as number | null,
      peakValue: columns.peakValue[i] as number | null,
      flapCount: columns.flapCount[i] as number,
      missed: columns.missed[i] as number,
      levels: columns.levels[i] as StoredState['levels'],
      opened: columns.opened[i] as SampleReference | null,
      alertId,
      alert,
      firedAt,
      valueAtFire,
    };
  });
}

/** Which rules have a state of a service, and of what; `streams` is null in rows of older versions. */
export interface StateKeysOfService {
  serviceId: string;
  ruleIds: string[];
  streams: (string | null)[];
}

/** Of each of the services with states, whose they are and nothing more: a fraction of what `readStates` costs. */
export async function readStateKeys(
  sql: Queryable,
  services: readonly ServiceKey[],
): Promise<StateKeysOfService[]> {
  return sql<StateKeysOfService[]>`
    select r.id as "serviceId", c.*
    from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    cross join lateral (
      select json_agg(s.rule_id) as "ruleIds", json_agg(s.stream) as streams from rule_states s
      where s.org_id = r.org and s.service_id = r.id) c
    where c."ruleIds" is not null`;
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
      : sql`and r.rule_id in (select json_array_elements_text(${JSON.stringify(ruleIds)}::text::json))`;
  // Service by service: there may be a hundred states of each, and one is enough.
  return sql<ServiceWithState[]>`
    select s.org_id as org, s.id, s.host
    from services s
    cross join lateral (
      select from rule_states r where r.org_id = s.org_id and r.service_id = s.id ${among} limit 1) judged
    order by 1, 2`;
}
