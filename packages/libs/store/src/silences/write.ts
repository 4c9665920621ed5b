import type { SilenceDefinition } from '@tidewatch/contracts/silences/silence';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { appendEvents } from '../outbox/append.ts';
import { bumpRevision } from '../revisions/revisions.ts';
import { silenceEvent } from './event.ts';
import { type SilenceRow, silenceAnswer, silenceColumns } from './row.ts';

/** The inputs of a write: organization, ids, time (ms) and audit trail. */
export interface SilenceWrite {
  organizationId: string;
  id: string;
  eventId: string;
  now: number;
  /** The actor and origin of the change for the audit log; null if no user asked for the change. */
  audit: AuditTrail | null;
}

/** Stores a new silence with its event, and raises the revision for evaluators. `endsAt` is the end of its last window, ms. */
export async function insertSilence(
  tx: Transaction,
  write: SilenceWrite,
  definition: SilenceDefinition,
  endsAt: number,
  actor: Actor,
): Promise<SilenceRow> {
  const { matchers, from, until, recurrence, timezone, comment } = definition;
  const { organizationId, id, eventId, now } = write;
  const [stored] = await tx<SilenceRow[]>`
    insert into silences as s (organization_id, id, matchers, from_at, until_at, recurrence, timezone, comment, ends_at,
      created_at, created_by)
    values (${organizationId}, ${id}, ${tx.json(matchers as never)}, ${from}, ${until}, ${recurrence}, ${timezone},
      ${comment}, ${endsAt}, ${now}, ${tx.json(actor)})
    returning ${silenceColumns(tx)}`;
  const row = stored as SilenceRow;
  await appendEvents(tx, [{ organizationId, event: silenceEvent(eventId, 'silence.created', row, now) }]);
  await recordAudit(tx, write.audit, [
    { action: 'silence.created', object: objectOf(row), before: null, after: silenceAnswer(row, now) },
  ]);
  await bumpRevision(tx, 'silences');
  return row;
}

/** Ends and deletes a silence; false if there is none. Emits `silence.ended` unless it had ended before. */
export async function deleteSilence(tx: Transaction, write: SilenceWrite): Promise<boolean> {
  const { organizationId, id, eventId, now } = write;
  const [former] = await tx<SilenceRow[]>`
    select ${silenceColumns(tx)} from silences s
    where s.organization_id = ${organizationId} and s.id = ${id} and s.deleted_at is null for update`;
  if (former === undefined) return false;
  await tx`
    update silences set deleted_at = ${now}, ended_at = coalesce(ended_at, least(${now}, ends_at))
    where organization_id = ${organizationId} and id = ${id}`;
  if (former.ended_at === null) {
    const row = { ...former, ended_at: Math.min(now, former.ends_at) };
    await appendEvents(tx, [{ organizationId, event: silenceEvent(eventId, 'silence.ended', row, now) }]);
  }
  await recordAudit(tx, write.audit, [
    { action: 'silence.deleted', object: objectOf(former), before: silenceAnswer(former, now), after: null },
  ]);
  await bumpRevision(tx, 'silences');
  return true;
}

/** The audit object of a silence, with the comment as its name. */
function objectOf({ id, comment }: SilenceRow) {
  return { type: 'silence' as const, id, name: comment };
}

/** The ids that are not rules of the organization. */
export async function findUnknownRules(
  sql: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const known = await sql<{ id: string }[]>`
    select id from alert_rules where organization_id = ${organizationId} and deleted_at is null
      and id in (select json_array_elements_text(${JSON.stringify(ids)}::text::json))`;
  const found = new Set(known.map(({ id }) => id));
  return new Set(ids.filter((id) => !found.has(id)));
}
