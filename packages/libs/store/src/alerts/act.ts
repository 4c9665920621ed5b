import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { MAX_COMMENTS } from '@tidewatch/contracts/alerts/alert-action';
import type { Actor } from '@tidewatch/contracts/values/actor';
import { toIso } from '@tidewatch/contracts/values/time';
import { type AuditEntry, type AuditTrail, recordAudit } from '../audit/record.ts';
import type { Transaction } from '../database/connection.ts';
import { appendEvents } from '../outbox/append.ts';
import { bumpRevision } from '../revisions/revisions.ts';
import { alertEvent } from './alert-event.ts';
import { insertTransitions, type TransitionWrite } from './transitions.ts';
import { type AlertRow, alertRecord } from './write-row.ts';

/** Who does something with an alert, when (ms), and what they say about it. */
export interface AlertAct {
  organizationId: string;
  id: string;
  eventId: string;
  now: number;
  actor: Actor;
  comment: string | null;
  /** Where people reach the product. */
  publicUrl: string | null;
  /** On whose behalf; null where nobody asked for it. */
  audit: AuditTrail | null;
}

/** The alert as it is now, or why nothing was done. */
export type Acted = { alert: Alert } | { refused: 'not_found' | 'alert_resolved' | 'too_many_comments' };

interface LockedAlert extends AlertRow {
  present_rule_name: string | null;
  runbook_url: string | null;
}

/** Notes who has taken an active alert on; what was noted first stays. The event goes with the first. */
export async function acknowledgeAlert(tx: Transaction, act: AlertAct): Promise<Acted> {
  const found = await lockAlert(tx, act);
  if (found === undefined) return { refused: 'not_found' };
  if (found.status === 'resolved') return { refused: 'alert_resolved' };
  const comments = commented(found, act);
  if (comments === null) return { refused: 'too_many_comments' };
  if (found.acknowledged_at !== null) return { alert: await saveComments(tx, act, found, comments) };
  const [row] = await tx<AlertRow[]>`
    update alerts set acknowledged_at = ${act.now}, acknowledged_by = ${tx.json(act.actor)},
      comments = ${tx.json(comments)}, updated_at = ${act.now}
    where org_id = ${act.organizationId} and id = ${act.id} returning *`;
  await recordAudit(tx, act.audit, [auditEntry('alert.acknowledged', found, row as AlertRow)]);
  return { alert: await tell(tx, act, 'alert.acknowledged', row as AlertRow, found) };
}

/**
 * Resolves an active alert as `manual`; one that is resolved already stays as it is. Judging holds the alert still: the
 * row in `resolved_by_hand` makes it let go in its next transaction, and until then the status keeps it from writing.
 */
export async function resolveAlert(tx: Transaction, act: AlertAct): Promise<Acted> {
  const found = await lockAlert(tx, act);
  if (found === undefined) return { refused: 'not_found' };
  const comments = commented(found, act);
  if (comments === null) return { refused: 'too_many_comments' };
  if (found.status === 'resolved') return { alert: await saveComments(tx, act, found, comments) };
  const [row] = await tx<AlertRow[]>`
    update alerts set status = 'resolved', state = 'resolved', resolution = 'manual',
      resolved_at = greatest(${act.now}, fired_at),
      comments = ${tx.json(comments)}, updated_at = ${act.now}
    where org_id = ${act.organizationId} and id = ${act.id} returning *`;
  await tx`
    insert into resolved_by_hand (org_id, alert_id, service_id, host)
    values (${act.organizationId}, ${act.id}, ${found.service_id}, ${found.host})`;
  await insertTransitions(tx, [stepOf(act, found)]);
  await recordAudit(tx, act.audit, [auditEntry('alert.resolved', found, row as AlertRow)]);
  const alert = await tell(tx, act, 'alert.resolved', row as AlertRow, found);
  // One row for everybody: it comes last, so that it is locked for as short as can be.
  await bumpRevision(tx, 'resolved_by_hand');
  return { alert };
}

/** No sample closed it. */
function stepOf({ organizationId, id, now }: AlertAct, { state }: AlertRow): TransitionWrite {
  const sample = { at: now, value: null, place: null };
  const times = { receivedAt: null, publishedAt: null, consumedAt: null, createdAt: now };
  return { organizationId, alertId: id, from: state, to: 'resolved', reason: 'manual', sample, ...times };
}

async function lockAlert(
  tx: Transaction,
  { organizationId, id }: AlertAct,
): Promise<LockedAlert | undefined> {
  const [row] = await tx<LockedAlert[]>`
    select a.*, r.name as present_rule_name, r.definition ->> 'runbook_url' as runbook_url
    from alerts a left join alert_rules r on r.org_id = a.org_id and r.id = a.rule_id
    where a.org_id = ${organizationId} and a.id = ${id}
    for update of a`;
  return row;
}

/** The comments with the new one, which a request that is sent again does not add again; null where there is no room. */
function commented(alert: AlertRow, { comment, actor, now }: AlertAct): Alert['comments'] | null {
  const { comments } = alert;
  const isKnown = comments.some(({ by, text }) => by.key_id === actor.key_id && text === comment);
  if (comment === null || isKnown) return comments;
  if (comments.length >= MAX_COMMENTS) return null;
  return [...comments, { at: toIso(now), by: actor, text: comment }];
}

async function saveComments(
  tx: Transaction,
  { organizationId, id, now, audit }: AlertAct,
  alert: AlertRow,
  comments: Alert['comments'],
): Promise<Alert> {
  if (comments === alert.comments) return alertRecord(alert);
  const [row] = await tx<AlertRow[]>`
    update alerts set comments = ${tx.json(comments)}, updated_at = ${now}
    where org_id = ${organizationId} and id = ${id} returning *`;
  await recordAudit(tx, audit, [auditEntry('alert.commented', alert, row as AlertRow)]);
  return alertRecord(row as AlertRow);
}

/** What people change of an alert; the rest is the pipeline's. */
function auditEntry(action: AuditEntry['action'], before: AlertRow, after: AlertRow): AuditEntry {
  const object = { type: 'alert' as const, id: after.id, name: after.summary };
  return { action, object, before: stateOf(before), after: stateOf(after) };
}

function stateOf(row: AlertRow) {
  const { status, state, resolution, acknowledged_at, acknowledged_by, comments } = alertRecord(row);
  return { status, state, resolution, acknowledged_at, acknowledged_by, comments };
}

async function tell(
  tx: Transaction,
  { organizationId, eventId, now, publicUrl }: AlertAct,
  type: 'alert.acknowledged' | 'alert.resolved',
  row: AlertRow,
  { present_rule_name: name, runbook_url: runbookUrl }: LockedAlert,
): Promise<Alert> {
  // Of what is only tried out nobody hears.
  if (row.shadow) return alertRecord(row);
  const event = alertEvent(
    eventId,
    type,
    row,
    { name: name ?? row.rule_name, runbookUrl },
    {
      now,
      publicUrl,
    },
  );
  await appendEvents(tx, [{ organizationId, event }]);
  return alertRecord(row);
}
