import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { toIso } from '@tidewatch/contracts/time/time';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { type AuditEntry, type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';
import { appendEvents } from '../outbox/append.ts';
import { bumpRevision } from '../revisions/revisions.ts';
import type { RuleRow } from './row.ts';

/** The inputs of a write: organization, time (ms), ids, audit trail and limit. */
export interface RuleWrite {
  organizationId: string;
  now: number;
  newId: (prefix: IdPrefix) => string;
  /** The actor and origin of the change for the audit log; null if no user asked for the change. */
  audit: AuditTrail | null;
  /** The maximum number of rules of the organization. */
  maxRules: number;
}

/** Rules to store, and rules to delete in their stored state. The caller has locked the existing rules. */
export interface RuleChanges {
  created: readonly RuleRow[];
  updated: readonly RuleRow[];
  deleted: readonly RuleRow[];
}

/** The number of events that are built before yielding to the event loop: a rule set may change thousands of rules. */
const EVENTS_AT_ONCE = 500;

const NONE: RuleChanges = { created: [], updated: [], deleted: [] };

export function newRule({ now, newId }: RuleWrite, definition: RuleDefinition): RuleRow {
  return {
    id: newId('rul'),
    definition,
    version: 1,
    created_at: now,
    updated_at: now,
    last_evaluated_at: null,
    pending_count: 0,
    firing_count: 0,
  };
}

/** The row of a rule with a new definition and the next version; null if the definition is equal. */
export function changedRule({ now }: RuleWrite, row: RuleRow, definition: RuleDefinition): RuleRow | null {
  // Compares definitions as JSON can store them, which has no -0.
  const stored: unknown = JSON.parse(JSON.stringify(definition));
  if (isDeepStrictEqual(stored, row.definition)) return null;
  return { ...row, definition, version: row.version + 1, updated_at: Math.max(now, row.updated_at) };
}

/**
 * Locks writes of an organization's rules until the transaction ends. Must be called before the write reads anything, so
 * that no other transaction assigns an external id meanwhile.
 */
export async function lockRules(tx: Transaction, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`tidewatch.rules ${organizationId}`}, 0))`;
}

/** The id of another rule, not deleted, with this external id, or null. */
export async function findNamesake(
  sql: Queryable,
  organizationId: string,
  id: string,
  externalId: string | null,
): Promise<string | null> {
  if (externalId === null) return null;
  const [row] = await sql<{ id: string }[]>`
    select id from alert_rules
    where organization_id = ${organizationId} and external_id = ${externalId} and id <> ${id} and deleted_at is null`;
  return row?.id ?? null;
}

/**
 * Stores the changes with an event and an audit record for each, and raises the revision for evaluators, all in the caller's
 * transaction. The evaluator resolves the alerts of deleted rules.
 */
export async function writeRules(
  tx: Transaction,
  write: RuleWrite,
  changes: Partial<RuleChanges>,
): Promise<void> {
  const { created, updated, deleted } = { ...NONE, ...changes };
  const { organizationId, now } = write;
  if (created.length + updated.length + deleted.length === 0) return;
  await requireRoomForRules(tx, write, { created, deleted });
  const before = await readStates(tx, write, updated);
  if (created.length > 0)
    await tx`
      insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition, created_at, updated_at)
      select ${organizationId}, r.id, r.definition ->> 'name', (r.definition -> 'enabled')::boolean,
        r.definition ->> 'metric', r.definition ->> 'severity', r.definition,
        ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(tx, created)}`;
  if (updated.length > 0)
    await tx`
      update alert_rules set name = r.definition ->> 'name', enabled = (r.definition -> 'enabled')::boolean,
        metric = r.definition ->> 'metric', severity = r.definition ->> 'severity', definition = r.definition,
        version = r.version, updated_at = greatest(alert_rules.updated_at, ${now}::timestamptz)
      from ${rowsOf(tx, updated)} where alert_rules.organization_id = ${organizationId} and alert_rules.id = r.id`;
  if (deleted.length > 0)
    await tx`
      update alert_rules set deleted_at = ${now}, updated_at = ${now}
      where organization_id = ${organizationId} and id in (${idsOf(tx, deleted)})`;
  const changed = [
    ...created.map((row) => ({ type: 'rule.created' as const, row })),
    ...updated.map((row) => ({ type: 'rule.updated' as const, row })),
    ...deleted.map((row) => ({ type: 'rule.deleted' as const, row })),
  ];
  for (let start = 0; start < changed.length; start += EVENTS_AT_ONCE) {
    if (start > 0) await setImmediate();
    const some = changed.slice(start, start + EVENTS_AT_ONCE);
    await appendEvents(
      tx,
      some.map(({ type, row }) => ({ organizationId, event: ruleEvent(write, type, row) })),
    );
  }
  await recordAudit(tx, write.audit, [
    ...created.map((row) => auditEntry('rule.created', row, null, stateOf(row))),
    ...updated.map((row) => auditEntry('rule.updated', row, before.get(row.id) ?? null, stateOf(row))),
    ...deleted.map((row) => auditEntry('rule.deleted', row, stateOf(row), null)),
  ]);
  // Raised last in the transaction, because all organizations share the row of this revision and wait for its lock.
  await bumpRevision(tx, 'rules');
}

/** Throws `LimitReachedError` if the change adds rules and the organization would exceed its limit. */
export async function requireRoomForRules(
  tx: Transaction,
  { organizationId, maxRules }: RuleWrite,
  { created, deleted }: Pick<RuleChanges, 'created' | 'deleted'>,
): Promise<void> {
  const adding = created.length - deleted.length;
  await requireRoom(tx, organizationId, { kind: 'rules', max: maxRules, adding });
}

type RuleState = RuleDefinition & { version: number };

function stateOf({ definition, version }: Pick<RuleRow, 'definition' | 'version'>): RuleState {
  return { ...definition, version };
}

function auditEntry(
  action: AuditEntry['action'],
  { id, definition }: RuleRow,
  before: RuleState | null,
  after: RuleState | null,
): AuditEntry {
  return { action, object: { type: 'rule', id, name: definition.name }, before, after };
}

/** The states of rules before the change, for the audit log. */
async function readStates(tx: Transaction, { organizationId, audit }: RuleWrite, rows: readonly RuleRow[]) {
  if (audit === null || rows.length === 0) return new Map<string, RuleState>();
  const stored = await tx<Pick<RuleRow, 'id' | 'definition' | 'version'>[]>`
    select id, definition, version from alert_rules where organization_id = ${organizationId} and id in (${idsOf(tx, rows)})`;
  return new Map(stored.map((row) => [row.id, stateOf(row)]));
}

function rowsOf(tx: Transaction, rows: readonly RuleRow[]) {
  const text = JSON.stringify(rows.map(({ id, version, definition }) => ({ id, version, definition })));
  return tx`jsonb_to_recordset(${text}::text::jsonb) as r(id text, version integer, definition jsonb)`;
}

function idsOf(tx: Transaction, rows: readonly RuleRow[]) {
  return tx`select json_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::text::json)`;
}

function ruleEvent(write: RuleWrite, type: EventType & `rule.${string}`, row: RuleRow): Event {
  const { id, version } = row;
  const { name, metric, severity, enabled, external_id } = row.definition;
  return cloudEvent({
    id: write.newId('evt'),
    organizationId: write.organizationId,
    type,
    subject: id,
    time: toIso(write.now),
    data: { rule: { id, name, metric, severity, enabled, version, external_id } },
  });
}
