import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { Transaction } from '@tidewatch/database/connection';
import { alertWindow } from '@tidewatch/domain/investigation/window';
import { scheduleForJoined } from './reopen.ts';

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
  joined: number;
}

/** Alerts of a service join the investigation that another alert opened within this time, ms. */
export const JOINED_WITHIN_MS = 30 * MINUTE_MS;

interface AlertRow {
  org: string;
  id: string;
  service: string;
  host: string;
  metric: string;
  severity: Severity;
  summary: string;
  pendingSince: number | null;
  firedAt: number;
  resolvedAt: number | null;
}

interface NewInvestigation {
  id: string;
  org: string;
  alert: AlertRow;
  severity: Severity;
}

/**
 * Gives each alert an investigation: a recent one of its service, which is run again if its run did not include the alert,
 * or a new queued one; cancelled ones are not joined. Skips alerts that have one, are backfilled, in shadow mode, below the
 * severity floor or deleted, so that a repeated event changes nothing.
 */
export async function openInvestigations(
  tx: Transaction,
  alerts: readonly AlertReference[],
  { now, newInvestigationId, severityFloor }: Opening,
): Promise<Opened> {
  if (alerts.length === 0) return { opened: 0, joined: 0 };
  await lockServices(tx, alerts);
  const rows = await readAlerts(tx, alerts, severitiesFrom(severityFloor));
  const known = await readCurrent(tx, rows, now);
  const opened = new Map<string, NewInvestigation>();
  const joins: { org: string; alert: string; investigation: string; severity: Severity }[] = [];
  for (const alert of rows) {
    const service = `${alert.org} ${alert.service}`;
    const existing = known.get(service) ?? opened.get(service)?.id;
    if (existing === undefined) {
      opened.set(service, { id: newInvestigationId(), org: alert.org, alert, severity: alert.severity });
    }
    const investigation = existing ?? (opened.get(service) as NewInvestigation).id;
    joins.push({ org: alert.org, alert: alert.id, investigation, severity: alert.severity });
  }
  await insertInvestigations(tx, [...opened.values()], now);
  await join(tx, joins, now);
  const isNew = new Set([...opened.values()].map(({ org, id }) => `${org} ${id}`));
  const already = joins.filter(({ org, investigation }) => !isNew.has(`${org} ${investigation}`));
  await scheduleForJoined(
    tx,
    already.map(({ org, investigation: id }) => ({ org, id })),
    now,
  );
  return { opened: opened.size, joined: joins.length - opened.size };
}

/** The severities from the most severe to the floor. */
function severitiesFrom(floor: Severity): Severity[] {
  return SEVERITIES.slice(0, SEVERITIES.indexOf(floor) + 1);
}

/** Locks services, since two consumers may handle events about alerts of one service at once. */
async function lockServices(tx: Transaction, alerts: readonly AlertReference[]): Promise<void> {
  const keys = alerts.map(({ organizationId, serviceId }) => `${organizationId} ${serviceId}`);
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
    select a.organization_id as org, a.id, a.service_id as service, a.host, a.metric, a.severity, a.summary,
      a.pending_since as "pendingSince", a.fired_at as "firedAt", a.resolved_at as "resolvedAt"
    from alerts a
    where (a.organization_id, a.id) in (
        select w.org, w.id from json_to_recordset(${wanted}::text::json) as w (org text, id text))
      and a.investigation_id is null and not a.backfilled and not a.shadow
      and a.severity = any(${severities as Severity[]}::text[])
    order by a.organization_id, a.id for update of a`;
  return [...rows].sort((a, b) => a.firedAt - b.firedAt);
}

/** The recent investigations that alerts of these services opened, by organization and service. */
async function readCurrent(
  tx: Transaction,
  alerts: readonly AlertRow[],
  now: number,
): Promise<Map<string, string>> {
  const wanted = JSON.stringify(alerts.map(({ org, service }) => ({ org, service })));
  const rows = await tx<{ org: string; service: string; id: string }[]>`
    select distinct on (i.organization_id, i.service_id) i.organization_id as org, i.service_id as service, i.id
    from investigations i
    where (i.organization_id, i.service_id) in (
        select w.org, w.service from json_to_recordset(${wanted}::text::json) as w (org text, service text))
      and i.trigger = 'alert' and i.status <> 'cancelled' and i.created_at > ${toIso(now - JOINED_WITHIN_MS)}::timestamptz
    order by i.organization_id, i.service_id, i.created_at desc, i.id desc`;
  return new Map(rows.map(({ org, service, id }) => [`${org} ${service}`, id]));
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

async function join(
  tx: Transaction,
  joins: readonly { org: string; alert: string; investigation: string; severity: Severity }[],
  now: number,
): Promise<void> {
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
