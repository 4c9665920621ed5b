import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { MAX_COMMENTS } from '@tidewatch/contracts/alerts/alert-action';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditEntry, type AuditTrail, recordAudit } from '../audit/record.ts';
import { appendEvents } from '../outbox/append.ts';
import { bumpRevision } from '../revisions/revisions.ts';
import { alertEvent } from './alert-event.ts';
import { insertTransitions, type TransitionWrite } from './transitions.ts';
import { type AlertRow, alertRecord } from './write-row.ts';

/** An action on an alert: by whom, when (ms), with which comment. */
export interface AlertAct {
  organizationId: string;
  id: string;
  eventId: string;
  now: number;
  actor: Actor;
  comment: string | null;
  /** The URL of the product for links; null if none is configured. */
  publicUrl: string | null;
  /** The actor and origin of the action for the audit log; null if no user asked for the action. */
  audit: AuditTrail | null;
}

/** The alert after the action, or why it was refused. */
export type Acted = { alert: Alert } | { refused: 'not_found' | 'alert_resolved' | 'too_many_comments' };

interface LockedAlert extends AlertRow {
  present_rule_name: string | null;
  runbook_url: string | null;
}

/** Acknowledges an active alert. Only the first acknowledgement is stored and emits an event; later ones add their comment. */
export async function acknowledgeAlert(tx: Transaction, act: AlertAct): Promise<Acted> {
  const found = await lockAlert(tx, act);
  if (found === undefined) return { refused: 'not_found' };
  if (found.status === 'resolved') return { refused: 'alert_resolved' };
  const comments = withComment(found, act);
  if (comments === null) return { refused: 'too_many_comments' };
  if (found.acknowledged_at !== null) return { alert: await saveComments(tx, act, found, comments) };
  const [row] = await tx<AlertRow[]>`
    update alerts set acknowledged_at = ${act.now}, acknowledged_by = ${tx.json(act.actor)},
      comments = ${tx.json(comments)}, updated_at = ${act.now}
    where organization_id = ${act.organizationId} and id = ${act.id} returning *`;
  await recordAudit(tx, act.audit, [auditEntry('alert.acknowledged', found, row as AlertRow)]);
  return { alert: await emitEvent(tx, act, 'alert.acknowledged', row as AlertRow, found) };
}

/**
 * Resolves an active alert as `manual`; a resolved one is not changed. A row in `resolved_by_hand` makes the evaluator
 * release the alert from memory in its next transaction; until then its updates require status `active`.
 */
export async function resolveAlert(tx: Transaction, act: AlertAct): Promise<Acted> {
  const found = await lockAlert(tx, act);
  if (found === undefined) return { refused: 'not_found' };
  const comments = withComment(found, act);
  if (comments === null) return { refused: 'too_many_comments' };
  if (found.status === 'resolved') return { alert: await saveComments(tx, act, found, comments) };
  const [row] = await tx<AlertRow[]>`
    update alerts set status = 'resolved', state = 'resolved', resolution = 'manual',
      resolved_at = greatest(${act.now}, fired_at),
      comments = ${tx.json(comments)}, updated_at = ${act.now}
    where organization_id = ${act.organizationId} and id = ${act.id} returning *`;
  await tx`
    insert into resolved_by_hand (organization_id, alert_id, service_id, host)
    values (${act.organizationId}, ${act.id}, ${found.service_id}, ${found.host})`;
  await insertTransitions(tx, [manualTransition(act, found)]);
  await recordAudit(tx, act.audit, [auditEntry('alert.resolved', found, row as AlertRow)]);
  const alert = await emitEvent(tx, act, 'alert.resolved', row as AlertRow, found);
  // Raised last in the transaction, because all organizations share the row of this revision and wait for its lock.
  await bumpRevision(tx, 'resolved_by_hand');
  return { alert };
}

/** A transition of an alert that was resolved by a user and not by a sample. */
function manualTransition({ organizationId, id, now }: AlertAct, { state }: AlertRow): TransitionWrite {
  const sample = { at: now, value: null, place: null };
  const times = { receivedAt: null, publishedAt: null, consumedAt: null, createdAt: now };
  return { organizationId, alertId: id, from: state, to: 'resolved', reason: 'manual', sample, ...times };
}

/** Adds the comment to an active or resolved alert. */
export async function commentAlert(tx: Transaction, act: AlertAct): Promise<Acted> {
  const found = await lockAlert(tx, act);
  if (found === undefined) return { refused: 'not_found' };
  const comments = withComment(found, act);
  if (comments === null) return { refused: 'too_many_comments' };
  return { alert: await saveComments(tx, act, found, comments) };
}

async function lockAlert(
  tx: Transaction,
  { organizationId, id }: AlertAct,
): Promise<LockedAlert | undefined> {
  const [row] = await tx<LockedAlert[]>`
    select a.*, r.name as present_rule_name, r.definition ->> 'runbook_url' as runbook_url
    from alerts a left join alert_rules r on r.organization_id = a.organization_id and r.id = a.rule_id
    where a.organization_id = ${organizationId} and a.id = ${id}
    for update of a`;
  return row;
}

/** The comments with the new one, which a retried request does not add again; null if the alert has too many. */
function withComment(alert: AlertRow, { comment, actor, now }: AlertAct): Alert['comments'] | null {
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
    where organization_id = ${organizationId} and id = ${id} returning *`;
  await recordAudit(tx, audit, [auditEntry('alert.commented', alert, row as AlertRow)]);
  return alertRecord(row as AlertRow);
}

/** An audit entry with the fields of an alert that users change. */
function auditEntry(action: AuditEntry['action'], before: AlertRow, after: AlertRow): AuditEntry {
  const object = { type: 'alert' as const, id: after.id, name: after.summary };
  return { action, object, before: stateOf(before), after: stateOf(after) };
}

function stateOf(row: AlertRow) {
  const { status, state, resolution, acknowledged_at, acknowledged_by, comments } = alertRecord(row);
  return { status, state, resolution, acknowledged_at, acknowledged_by, comments };
}

async function emitEvent(
  tx: Transaction,
  { organizationId, eventId, now, publicUrl }: AlertAct,
  type: 'alert.acknowledged' | 'alert.resolved',
  row: AlertRow,
  { present_rule_name: name, runbook_url: runbookUrl }: LockedAlert,
): Promise<Alert> {
  // Alerts of rules in shadow mode emit no events.
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
