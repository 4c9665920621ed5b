import type { Feedback, FeedbackInput } from '@tidewatch/contracts/investigations/analysis';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { appendEvents } from '../outbox/append.ts';
import { investigationEvent } from './event.ts';
import { type InvestigationRow, investigationColumns } from './row.ts';

/** A user's action on an investigation, and when (ms). */
export interface InvestigationAct {
  organizationId: string;
  id: string;
  now: number;
  audit: AuditTrail;
}

/**
 * Cancels a queued or running investigation, whose worker loses its claim. One that is run again keeps the result of its last
 * run. Returns `over` if it has ended otherwise.
 */
export async function cancelInvestigation(
  tx: Transaction,
  act: InvestigationAct & { eventId: string; publicUrl: string | null },
): Promise<'cancelled' | 'over' | 'not_found'> {
  const { organizationId, id, now, audit, eventId, publicUrl } = act;
  const found = await lock(tx, act);
  if (found === undefined) return 'not_found';
  if (found.status === 'cancelled') return 'cancelled';
  if (found.status !== 'queued' && found.status !== 'running') return 'over';
  const [row] = await tx<InvestigationRow[]>`
    update investigations i set status = case when i.conclusion is null then 'cancelled' else 'completed' end, completed_at = ${now}, claimed_by = null, claimed_until = null,
      updated_at = ${now}
    where i.organization_id = ${organizationId} and i.id = ${id} returning ${investigationColumns(tx)}`;
  const event = investigationEvent(eventId, 'investigation.cancelled', row as InvestigationRow, {
    now,
    publicUrl,
  });
  await appendEvents(tx, [{ organizationId, event }]);
  await recordAudit(tx, audit, [
    {
      action: 'investigation.cancelled',
      object: objectOf(found),
      before: { status: found.status },
      after: { status: (row as InvestigationRow).status },
    },
  ]);
  return 'cancelled';
}

/** Stores a user's feedback on an investigation in place of earlier feedback; false if there is no such investigation. */
export async function rateInvestigation(
  tx: Transaction,
  act: InvestigationAct & { actor: Actor },
  { helpful, actual_root_cause, comment }: FeedbackInput,
): Promise<boolean> {
  const { organizationId, id, now, audit, actor } = act;
  const found = await lock(tx, act);
  if (found === undefined) return false;
  const feedback: Feedback = { helpful, actual_root_cause, comment, at: toIso(now), by: actor };
  await tx`
    update investigations set feedback = ${tx.json(feedback)}, updated_at = ${now}
    where organization_id = ${organizationId} and id = ${id}`;
  await recordAudit(tx, audit, [
    {
      action: 'investigation.rated',
      object: objectOf(found),
      before: { feedback: found.feedback },
      after: { feedback },
    },
  ]);
  return true;
}

async function lock(
  tx: Transaction,
  { organizationId, id }: InvestigationAct,
): Promise<InvestigationRow | undefined> {
  const [row] = await tx<InvestigationRow[]>`
    select ${investigationColumns(tx)} from investigations i
    where i.organization_id = ${organizationId} and i.id = ${id} for update of i`;
  return row;
}

function objectOf({ id, title }: InvestigationRow) {
  return { type: 'investigation' as const, id, name: title };
}
