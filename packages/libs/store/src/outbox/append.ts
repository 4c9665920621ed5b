import type { Queryable } from '@tidewatch/database/connection';

/** One CloudEvent to publish; `event` is the whole envelope. */
export interface OutboxEntry {
  organizationId: string;
  event: object;
}

// The separator of events in one parameter, which lets PostgreSQL parse each event once. No event contains it, since JSON
// escapes control characters.
const SEPARATOR = '\u001e';

/** Stores events in order; must be called in the transaction of the change that they report. */
export async function appendEvents(tx: Queryable, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const organizations = entries.map((entry) => entry.organizationId).join(SEPARATOR);
  const events = entries.map((entry) => JSON.stringify(entry.event)).join(SEPARATOR);
  await tx`insert into outbox (organization_id, event)
    select r.organization_id, r.event::jsonb
    from rows from (
      string_to_table(${organizations}::text, ${SEPARATOR}::text), string_to_table(${events}::text, ${SEPARATOR}::text)
    ) with ordinality as r(organization_id, event, place)
    order by r.place`;
}
