import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import type { AlertInstanceState } from '@tidewatch/domain/alerting/alert-instance-state';
import type { SampleReference } from '../alerts/transitions.ts';
import { Turn } from '../event-loop/turn.ts';

/** The stored state of an alert instance that is pending or active, with its alert. Times are ms. */
export interface StoredState extends Omit<AlertInstanceState, 'severity' | 'noData'> {
  ruleId: string;
  subjectKind: Subject['kind'];
  subjectName: string;
  /** The stream of the subject that the rule evaluated; null in rows of older versions. */
  stream: string | null;
  opened: SampleReference | null;
  /** The active alert; null while pending. */
  alertId: string | null;
  /** The alert of the state; null if there is none or its row was deleted. */
  alert: StoredAlert | null;
}

/** The stored fields of an alert that the evaluator needs. */
export interface StoredAlert {
  metric: string;
  severity: Severity;
  ruleVersion: number;
  condition: string;
  threshold: number;
  thresholdMax: number | null;
  shadow: boolean;
  noData: boolean;
  /** Whether a backfilled sample opened the alert and no fresh sample has confirmed it. */
  unconfirmed: boolean;
}

export interface ServiceKey {
  org: string;
  id: string;
}

/** The columns of `rule_states`. */
type StateColumns = Omit<StoredState, 'alert' | 'firedAt' | 'valueAtFire'>;

/** The states of one service as one array for each column, which takes a fifth of the time of reading rows. */
type Columns = { [Name in Exclude<keyof StateColumns, 'ruleId'>]: StateColumns[Name][] };

/** Alerts with equal fields, and one array for each column in which they differ. */
interface GroupedAlerts extends StoredAlert {
  ids: string[];
  firedAt: number[];
  valueAtFire: (number | null)[];
}

/** The fields of a state that come from its alert. */
type AlertOfState = Pick<StoredState, 'alert' | 'firedAt' | 'valueAtFire'>;

const NO_ALERT: AlertOfState = { alert: null, firedAt: null, valueAtFire: null };

/** The max number of states that one statement reads; all states of one service are read together even if more. */
const MAX_STATES_PER_STATEMENT = 5_000;
/** States or alerts in a portion: parsing one takes a few milliseconds. */
const PORTION_SIZE = 500;

/** The states of one service in portions, so that the caller can yield to the event loop between them. */
export interface StatesOfService {
  /** The rule id of each state. */
  ruleIds(): Iterable<readonly string[]>;
  /** Parses the states at each call, to avoid holding those of many services in memory. */
  portions(): Iterable<readonly StoredState[]>;
}

/** A row of a query that returns a portion of states or of alerts as JSON. */
interface PortionRow {
  serviceId: string | null;
  ruleIds: string;
  columns: string;
  alerts: string;
}

/** Reads all states of the services with their alerts, by service id; each statement reads both from one snapshot. */
export async function readStates(
  sql: Queryable,
  services: readonly ServiceKey[],
): Promise<Map<string, StatesOfService>> {
  const read = new Map<string, StatesOfService>();
  for (const { keys, count } of partsOf(services, await readStateCounts(sql, services)))
    for (const [id, states] of await readPart(sql, keys, count)) read.set(id, states);
  return read;
}

async function readStateCounts(
  sql: Queryable,
  services: readonly ServiceKey[],
): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; count: number }[]>`
    select r.id, c.count from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    cross join lateral (
      select count(*)::integer from rule_states s where s.organization_id = r.org and s.service_id = r.id) c
    where c.count > 0`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

function partsOf(services: readonly ServiceKey[], counts: ReadonlyMap<string, number>) {
  const parts: { keys: ServiceKey[]; count: number }[] = [];
  for (const key of services) {
    const count = counts.get(key.id) ?? 0;
    if (count === 0) continue;
    const last = parts.at(-1);
    if (last === undefined || last.count + count > MAX_STATES_PER_STATEMENT)
      parts.push({ keys: [key], count });
    else {
      last.keys.push(key);
      last.count += count;
    }
  }
  return parts;
}

async function readPart(
  sql: Queryable,
  services: readonly ServiceKey[],
  count: number,
): Promise<Map<string, StatesOfService>> {
  const rows = await sql<PortionRow[]>`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    )
    select "serviceId", "ruleIds", columns, null as alerts from (${columnsOf(sql)}) c
    union all
    select null, null, null, row_to_json(g)::text from (${groupedAlertsOf(sql, count)}) g`;
  const turn = new Turn();
  const alerts = new Map<string, AlertOfState>();
  for (const row of rows) {
    if (row.serviceId !== null) continue;
    for (const [id, alert] of eachOf(JSON.parse(row.alerts))) alerts.set(id, alert);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  const portionsOf = Map.groupBy(rows, ({ serviceId }) => serviceId);
  const states = new Map<string, StatesOfService>();
  for (const [serviceId, portions] of portionsOf)
    if (serviceId !== null) states.set(serviceId, statesOfService(portions, alerts));
  return states;
}

/** Groups in a lateral join for each service; one grouping over all would sort the rows of an alert storm on disk. */
function columnsOf(sql: Queryable) {
  return sql`
    select r.id as "serviceId", c.* from r cross join lateral (
      select json_agg(s.rule_id)::text as "ruleIds", json_build_object('subjectKind', json_agg(s.subject_kind),
        'subjectName', json_agg(s.subject_name), 'stream', json_agg(s.stream), 'state', json_agg(s.state),
        'pendingSince', json_agg(${ms(sql, 's.pending_since')}), 'clearSince', json_agg(${ms(sql, 's.clear_since')}),
        'evaluatedAt', json_agg(${ms(sql, 's.evaluated_at')}), 'value', json_agg(s.value), 'peakValue', json_agg(s.peak_value),
        'flapCount', json_agg(s.flap_count), 'missed', json_agg(s.missed), 'levels', json_agg(s.levels),
        'opened', json_agg(s.opened), 'alertId', json_agg(s.alert_id))::text as columns
      from (
        select s.*, (row_number() over () - 1) / ${PORTION_SIZE}::integer as portion
        from rule_states s where s.organization_id = r.org and s.service_id = r.id) s
      group by s.portion) c`;
}

/** The alerts of `count` states. Since most fields of a rule's alerts are equal, they are read once for many alerts. */
function groupedAlertsOf(sql: Queryable, count: number) {
  const portions = Math.ceil(count / PORTION_SIZE);
  return sql`
    select a.metric, a.severity, a.rule_version as "ruleVersion", a.condition, a.threshold,
      a.threshold_max as "thresholdMax", a.shadow, a.no_data as "noData",
      a.backfilled and a.confirmed_at is null as unconfirmed, json_agg(a.id) as ids,
      json_agg(${ms(sql, 'a.fired_at')}) as "firedAt", json_agg(a.value_at_fire) as "valueAtFire"
    from r cross join lateral (
      select a.* from rule_states s join alerts a on a.organization_id = s.organization_id and a.id = s.alert_id
      where s.organization_id = r.org and s.service_id = r.id) a
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, abs(hashtext(a.id)::bigint) % ${portions}::integer`;
}

function* eachOf({ ids, firedAt, valueAtFire, ...alert }: GroupedAlerts): Iterable<[string, AlertOfState]> {
  for (let i = 0; i < ids.length; i += 1)
    yield [ids[i] as string, { alert, firedAt: firedAt[i] ?? null, valueAtFire: valueAtFire[i] ?? null }];
}

function statesOfService(
  portions: readonly PortionRow[],
  alerts: ReadonlyMap<string, AlertOfState>,
): StatesOfService {
  return {
    *ruleIds() {
      for (const { ruleIds } of portions) yield JSON.parse(ruleIds);
    },
    *portions() {
      for (const { ruleIds, columns } of portions)
        yield statesOf(JSON.parse(ruleIds), JSON.parse(columns), alerts);
    },
  };
}

/** SQL of a timestamp in ms since the epoch. */
function ms(sql: Queryable, column: string) {
  return sql.unsafe(`(date_part('epoch', ${column}) * 1000)::bigint`);
}

function statesOf(
  ruleIds: readonly string[],
  columns: Columns,
  alerts: ReadonlyMap<string, AlertOfState>,
): StoredState[] {
  return ruleIds.map((ruleId, i) => {
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
      evaluatedAt: columns.evaluatedAt[i] as number,
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

/**
 * The rule ids and streams of a portion of the states of a service; a stream is null in rows of older versions. `parts` has
 * the name of the subject of each state if it is a part, otherwise null, and `labels` its labels.
 */
export interface StateKeysOfService {
  serviceId: string;
  ruleIds: string[];
  streams: (string | null)[];
  parts: (string | null)[];
  labels: (Record<string, string> | null)[];
}

/** Reads only rule ids, streams and parts of states, which costs a fraction of `readStates`. */
export async function readStateKeys(
  sql: Queryable,
  services: readonly ServiceKey[],
): Promise<StateKeysOfService[]> {
  return sql<StateKeysOfService[]>`
    select r.id as "serviceId", c.*
    from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    cross join lateral (
      select json_agg(s.rule_id) as "ruleIds", json_agg(s.stream) as streams, json_agg(s.part) as parts,
        json_agg(s.labels) as labels
      from (
        select s.rule_id, s.stream, case when s.subject_kind = 'part' then s.subject_name end as part, p.labels,
          (row_number() over () - 1) / ${PORTION_SIZE}::integer as portion
        from rule_states s
        left join parts p on s.subject_kind = 'part' and p.organization_id = s.organization_id
          and p.service_id = s.service_id and p.kind = split_part(s.subject_name, ':', 1)
          and p.name = substr(s.subject_name, strpos(s.subject_name, ':') + 1)
        where s.organization_id = r.org and s.service_id = r.id) s
      group by s.portion) c`;
}

/** A service with its host name, which rules select by. */
export interface ServiceWithState extends ServiceKey {
  host: string;
}

/** Services that have a state of one of the rules, or of any rule if `ruleIds` is null. */
export async function readServicesWithState(
  sql: Queryable,
  ruleIds: readonly string[] | null,
): Promise<ServiceWithState[]> {
  if (ruleIds !== null) {
    // Reads all states once; a lateral join would expand the list of rules for each service.
    return sql<ServiceWithState[]>`
      select s.organization_id as org, s.id, s.host
      from services s
      join (
        select distinct r.organization_id, r.service_id from rule_states r
        join json_array_elements_text(${JSON.stringify(ruleIds)}::text::json) as named(id) on named.id = r.rule_id) with_state
        on with_state.organization_id = s.organization_id and with_state.service_id = s.id
      order by 1, 2`;
  }
  // A lateral join that reads one state of each service, since a service may have a hundred states.
  return sql<ServiceWithState[]>`
    select s.organization_id as org, s.id, s.host
    from services s
    cross join lateral (
      select from rule_states r where r.organization_id = s.organization_id and r.service_id = s.id limit 1) with_state
    order by 1, 2`;
}
