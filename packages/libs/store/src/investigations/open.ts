import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { Transaction } from '@tidewatch/database/connection';
import { alertWindow } from '@tidewatch/domain/investigation/window';
import { scheduleForJoined } from './reopen.ts';
import { MAX_OF_RULE, readOpenedByRules, type StormAlert, shareInvestigations } from './storm.ts';

/** The alert of an event. */
export interface AlertReference {
  organizationId: string;
  id: string;
  serviceId: string;
}

export interface Opening {
  /** The server's clock, ms. */
  now: number;
  newInvestigationId: () => string;
  /** Alerts that are less severe than this neither open nor join an investigation. */
  severityFloor: Severity;
}

export interface Opened {
  opened: number;
  /** Alerts that joined an investigation of their own host, or share that of another. */
  joined: number;
}

/** Alerts of a service join the investigation that another alert opened within this time, ms. */
export const JOINED_WITHIN_MS = 30 * MINUTE_MS;

interface AlertRow {
  org: string;
  id: string;
  rule: string;
  service: string;
  host: string;
  metric: string;
  severity: Severity;
  summary: string;
  pendingSince: number | null;
  firedAt: number;
  resolvedAt: number | null;
}

/** So many of the latest alerts of a service show which investigation it shares. */
const LATEST_ALERTS = 20;

interface Join {
  org: string;
  alert: string;
  investigation: string;
  severity: Severity;
}

interface NewInvestigation {
  id: string;
  org: string;
  alert: AlertRow;
  severity: Severity;
}

/** The current investigation of a service, which may be one of another service that it shares. */
interface Current {
  id: string;
  isShared: boolean;
}

/**
 * Gives each alert an investigation: a recent one of its service, which is run again if its run did not include the alert,
 * or a new queued one; cancelled ones are not joined. Where a rule fires on many hosts at once, the first ten are investigated and
 * the alerts of the others share the first investigation. Skips alerts that have one, are backfilled, in shadow mode, below the
 * severity floor or deleted, so that a repeated event changes nothing.
 */
export async function openInvestigations(
  tx: Transaction,
  alerts: readonly AlertReference[],
  { now, newInvestigationId, severityFloor }: Opening,
): Promise<Opened> {
  if (alerts.length === 0) return { opened: 0, joined: 0 };
  await lock(
    tx,
    alerts.map(({ organizationId, serviceId }) => `${organizationId} ${serviceId}`),
  );
  const rows = await readAlerts(tx, alerts, severitiesFrom(severityFloor));
  await lock(
    tx,
    rows.map(({ org, rule }) => `${org} ${rule}`),
  );
  const known = await readCurrent(tx, rows, now);
  const ofRules = await readOpenedByRules(tx, rows, now);
  const opened = new Map<string, NewInvestigation>();
  const joins: Join[] = [];
  const shared: StormAlert[] = [];
  for (const alert of rows) {
    const service = `${alert.org} ${alert.service}`;
    const rule = ofRules.get(`${alert.org} ${alert.rule}`) ?? { opened: 0, first: null };
    const isStorm = rule.opened >= MAX_OF_RULE && rule.first !== null;
    const current = known.get(service) ?? (isStorm ? { id: rule.first as string, isShared: true } : null);
    const { org, id, severity } = alert;
    if (current?.isShared === true) {
      shared.push({ org, alert: id, investigation: current.id });
      known.set(service, current);
      continue;
    }
    const investigation = current?.id ?? newInvestigationId();
    if (current === null) {
      opened.set(service, { id: investigation, org, alert, severity });
      known.set(service, { id: investigation, isShared: false });
      ofRules.set(`${org} ${alert.rule}`, { opened: rule.opened + 1, first: rule.first ?? investigation });
    }
    joins.push({ org, alert: id, investigation, severity });
  }
  await insertInvestigations(tx, [...opened.values()], now);
  await join(tx, joins, now);
  await shareInvestigations(tx, shared, now);
  const isNew = new Set([...opened.values()].map(({ org, id }) => `${org} ${id}`));
  const already = joins.filter(({ org, investigation }) => !isNew.has(`${org} ${investigation}`));
  await scheduleForJoined(
    tx,
    already.map(({ org, investigation: id }) => ({ org, id })),
    now,
  );
  return { opened: opened.size, joined: rows.length - opened.size };
}

/** The severities from the most severe to the floor. */
function severitiesFrom(floor: Severity): Severity[] {
  return SEVERITIES.slice(0, SEVERITIES.indexOf(floor) + 1);
}

/** Locks services, and then rules, since two consumers may handle events about alerts of one of them at once. */
async function lock(tx: Transaction, keys: readonly string[]): Promise<void> {
  const names = JSON.stringify([...new Set(keys)].sort());
  await tx`select pg_advisory_xact_lock(hashtextextended('tidewatch.investigations ' || n.value, 0))
    from json_array_elements_text(${names}::text::json) with ordinality as n (value, place) order by n.place`;
}

async function readAlerts(
  tx: Transaction,
  alerts: readonly AlertReference[],
  severities: readonly Severity[],
): Promise<AlertRow[]> {
  const wanted = JSON.stringify(alerts.map(({ organizationId: org, id }) => ({ org, id })));
  const rows = await tx<AlertRow[]>`
    select a.organization_id as org, a.id, a.rule_id as rule, a.service_id as service, a.host, a.metric, a.severity, a.summary,
      a.pending_since as "pendingSince", a.fired_at as "firedAt", a.resolved_at as "resolvedAt"
    from alerts a
    where (a.organization_id, a.id) in (
        select w.org, w.id from json_to_recordset(${wanted}::text::json) as w (org text, id text))
      and a.investigation_id is null and not a.backfilled and not a.shadow
      and a.severity = any(${severities as Severity[]}::text[])
    order by a.organization_id, a.id for update of a`;
  return [...rows].sort((a, b) => a.firedAt - b.firedAt);
}

/** The investigations that these services have by an alert of the last half hour, by organization and service. */
async function readCurrent(
  tx: Transaction,
  alerts: readonly AlertRow[],
  now: number,
): Promise<Map<string, Current>> {
  const wanted = JSON.stringify(alerts.map(({ org, service }) => ({ org, service })));
  const rows = await tx<{ org: string; service: string; id: string; isShared: boolean }[]>`
    select w.org, w.service, i.id, i.service_id <> w.service as "isShared"
    from (select distinct org, service from json_to_recordset(${wanted}::text::json) as r (org text, service text)) w
    cross join lateral (
      select i.id, i.service_id from (
        select o.id, o.service_id, o.created_at from investigations o
        where o.organization_id = w.org and o.service_id = w.service and o.trigger = 'alert' and o.status <> 'cancelled'
          and o.created_at > ${toIso(now - JOINED_WITHIN_MS)}::timestamptz
        union all
        select s.id, s.service_id, s.created_at from (
          select a.investigation_id from alerts a
          where a.organization_id = w.org and a.service_id = w.service order by a.fired_at desc, a.id desc limit ${LATEST_ALERTS}
        ) l join investigations s on s.organization_id = w.org and s.id = l.investigation_id
        where s.trigger = 'alert' and s.status <> 'cancelled' and s.created_at > ${toIso(now - JOINED_WITHIN_MS)}::timestamptz
      ) i order by i.service_id <> w.service, i.created_at desc, i.id desc limit 1
    ) i`;
  return new Map(rows.map(({ org, service, id, isShared }) => [`${org} ${service}`, { id, isShared }]));
}

async function insertInvestigations(
  tx: Transaction,
  investigations: readonly NewInvestigation[],
  now: number,
): Promise<void> {
  if (investigations.length === 0) return;
  const rows = investigations.map(({ id, org, alert, severity }) => {
    const window = alertWindow(alert, now);
    return {
      id,
      org,
      severity,
      alert: alert.id,
      service: alert.service,
      host: alert.host,
      metric: alert.metric,
      title: alert.summary,
      from: toIso(window.from),
      to: toIso(window.to),
    };
  });
  await tx`
    insert into investigations (organization_id, id, created_at, trigger, alert_id, service_id, host, metric, severity, title,
      window_from, window_to, updated_at)
    select r.org, r.id, ${toIso(now)}::timestamptz, 'alert', r.alert, r.service, r.host, r.metric, r.severity, r.title,
      r."from", r."to", ${toIso(now)}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (org text, id text, alert text, service text,
      host text, metric text, severity text, title text, "from" timestamptz, "to" timestamptz)
    order by r.org, r.id`;
}

async function join(tx: Transaction, joins: readonly Join[], now: number): Promise<void> {
  if (joins.length === 0) return;
  const rows = JSON.stringify(joins.map((each) => ({ ...each, rank: SEVERITIES.indexOf(each.severity) })));
  await tx`
    insert into investigation_alerts (organization_id, investigation_id, alert_id)
    select r.org, r.investigation, r.alert
    from json_to_recordset(${rows}::text::json) as r (org text, investigation text, alert text)
    order by 1, 2, 3`;
  await tx`
    update alerts a set investigation_id = r.investigation, updated_at = ${toIso(now)}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (org text, investigation text, alert text)
    where a.organization_id = r.org and a.id = r.alert`;
  // The severity of an investigation is that of its most severe alert.
  await tx`
    update investigations i set severity = r.severity, updated_at = ${toIso(now)}::timestamptz
    from (
      select distinct on (w.org, w.investigation) w.org, w.investigation, w.severity, w.rank
      from json_to_recordset(${rows}::text::json) as w (org text, investigation text, severity text, rank integer)
      order by w.org, w.investigation, w.rank
    ) r
    where i.organization_id = r.org and i.id = r.investigation
      and coalesce(array_position(${[...SEVERITIES]}::text[], i.severity) - 1, ${SEVERITIES.length}) > r.rank`;
}
