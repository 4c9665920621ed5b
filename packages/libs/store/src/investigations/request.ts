import type { Investigation } from '@tidewatch/contracts/investigations/investigation';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import type { AlertTimes, InvestigationWindow } from '@tidewatch/domain/investigation/window';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { type InvestigationRow, investigationColumns, investigationRecord } from './row.ts';

/** The fields of an alert that an investigation of it needs. */
export interface InvestigatedAlert extends AlertTimes {
  id: string;
  serviceId: string;
  host: string;
  metric: string;
  severity: Severity;
  summary: string;
}

/** Reads an alert to investigate; null if there is none with that id. */
export async function readInvestigatedAlert(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<InvestigatedAlert | null> {
  const [row] = await sql<InvestigatedAlert[]>`
    select id, service_id as "serviceId", host, metric, severity, summary, pending_since as "pendingSince",
      fired_at as "firedAt", resolved_at as "resolvedAt"
    from alerts where organization_id = ${organizationId} and id = ${id}`;
  return row ?? null;
}

/** A user's request of an investigation. `alert` is null if a service is investigated. */
export interface InvestigationRequest {
  organizationId: string;
  id: string;
  /** ms */
  now: number;
  actor: Actor;
  audit: AuditTrail;
  alert: InvestigatedAlert | null;
  serviceId: string;
  host: string;
  metric: string | null;
  question: string | null;
  window: InvestigationWindow;
}

/**
 * Queues an investigation that a user requested; null if `maxQueued` requested ones are queued already. An alert without an
 * investigation gets this one.
 */
export async function requestInvestigation(
  tx: Transaction,
  request: InvestigationRequest,
  maxQueued: number,
): Promise<Investigation | null> {
  const { organizationId, id, now, actor, audit, alert, serviceId, host, metric, question, window } = request;
  // Serializes the requests of an organization, so that the count is exact.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`requested investigations ${organizationId}`}, 0))`;
  const [queue] = await tx<{ waiting: number }[]>`
    select count(*)::int as waiting from investigations
    where organization_id = ${organizationId} and status = 'queued' and trigger = 'request'`;
  if (queue !== undefined && queue.waiting >= maxQueued) return null;
  await tx`
    insert into investigations (organization_id, id, created_at, created_by, trigger, alert_id, service_id, host, metric, question,
      severity, title, window_from, window_to, updated_at)
    values (${organizationId}, ${id}, ${now}, ${tx.json(actor)}, 'request', ${alert?.id ?? null}, ${serviceId}, ${host},
      ${metric}, ${question}, ${alert?.severity ?? null}, ${titleOf(request)}, ${window.from}, ${window.to}, ${now})`;
  if (alert !== null) {
    await tx`
      insert into investigation_alerts (organization_id, investigation_id, alert_id) values (${organizationId}, ${id}, ${alert.id})`;
    await tx`
      update alerts set investigation_id = ${id}, updated_at = greatest(updated_at, ${now})
      where organization_id = ${organizationId} and id = ${alert.id} and investigation_id is null`;
  }
  const [row] = await tx<InvestigationRow[]>`
    select ${investigationColumns(tx)} from investigations i where i.organization_id = ${organizationId} and i.id = ${id}`;
  const record = investigationRecord(row as InvestigationRow, []);
  const { alert_ids, service_id, from, to } = record;
  await recordAudit(tx, audit, [
    {
      action: 'investigation.requested',
      object: { type: 'investigation', id, name: record.title },
      before: null,
      after: { alert_ids, service_id, host, metric, from, to, question },
    },
  ]);
  return record;
}

/** The title of the investigation in lists. */
function titleOf({ alert, question, host, metric }: InvestigationRequest): string {
  return alert?.summary ?? question ?? (metric === null ? host : `${host}: ${metric}`);
}
