import { cloudEvent, type EventType } from '@tidewatch/contracts/event';
import type { RuleDefinition } from '@tidewatch/contracts/rule';
import { toIso } from '@tidewatch/contracts/time';
import type { Transaction } from '../connection.ts';
import { appendEvents } from '../outbox/append.ts';
import type { RuleRow } from '../queries/rule-row.ts';
import { bumpRevision } from '../revisions/revisions.ts';

/** Who writes where, when, and the ids to use: everything that a write takes from outside. `now` in ms. */
export interface RuleWrite {
  organizationId: string;
  id: string;
  eventId: string;
  now: number;
}

/** Stores a new rule, tells everyone who judges, and appends its event; all in the caller's transaction. */
export async function insertRule(
  tx: Transaction,
  write: RuleWrite,
  definition: RuleDefinition,
): Promise<RuleRow> {
  const { organizationId, id, now } = write;
  await tx`
    insert into alert_rules (org_id, id, name, enabled, metric, severity, definition, created_at, updated_at)
    values (${organizationId}, ${id}, ${definition.name}, ${definition.enabled}, ${definition.metric},
      ${definition.severity}, ${tx.json(definition as never)}, ${now}, ${now})`;
  const row: RuleRow = {
    id,
    definition,
    version: 1,
    created_at: now,
    updated_at: now,
    last_evaluated_at: null,
    pending_count: 0,
    firing_count: 0,
  };
  await announce(tx, write, 'rule.created', row);
  return row;
}

/** Replaces the definition of a rule that the caller has locked and counts its version. */
export async function updateRule(
  tx: Transaction,
  write: RuleWrite,
  row: RuleRow,
  definition: RuleDefinition,
): Promise<RuleRow> {
  const changed = {
    ...row,
    definition,
    version: row.version + 1,
    updated_at: Math.max(write.now, row.updated_at),
  };
  await tx`
    update alert_rules set name = ${definition.name}, enabled = ${definition.enabled}, metric = ${definition.metric},
      severity = ${definition.severity}, definition = ${tx.json(definition as never)},
      version = ${changed.version}, updated_at = ${changed.updated_at}
    where org_id = ${write.organizationId} and id = ${write.id}`;
  await announce(tx, write, 'rule.updated', changed);
  return changed;
}

/** Marks a rule that the caller has locked as deleted; whoever judges resolves its alerts. */
export async function deleteRule(tx: Transaction, write: RuleWrite, row: RuleRow): Promise<void> {
  await tx`
    update alert_rules set deleted_at = ${write.now}, updated_at = ${write.now}
    where org_id = ${write.organizationId} and id = ${write.id}`;
  await announce(tx, write, 'rule.deleted', row);
}

async function announce(
  tx: Transaction,
  write: RuleWrite,
  type: EventType & `rule.${string}`,
  row: RuleRow,
): Promise<void> {
  const { id, version } = row;
  const { name, metric, severity, enabled, external_id } = row.definition;
  const event = cloudEvent({
    id: write.eventId,
    organizationId: write.organizationId,
    type,
    subject: id,
    time: toIso(write.now),
    data: { rule: { id, name, metric, severity, enabled, version, external_id } },
  });
  await appendEvents(tx, [{ organizationId: write.organizationId, event }]);
  // The revision is one row for everybody: it comes last, so that it is locked for as short as can be.
  await bumpRevision(tx, 'rules');
}
