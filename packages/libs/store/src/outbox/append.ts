import type { Queryable } from '../database/connection.ts';

/** One CloudEvent on its way out; `event` is the whole envelope. */
export interface OutboxEntry {
  organizationId: string;
  event: object;
}

// JSON escapes control characters, so this stands in no event; and each event is parsed only once.
const SEPARATOR = '\u001e';

/** Stores events in the transaction of what they tell, in the order given. */
export async function appendEvents(tx: Queryable, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const organizations = entries.map((entry) => entry.organizationId).join(SEPARATOR);
  const events = entries.map((entry) => JSON.stringify(entry.event)).join(SEPARATOR);
  await tx`insert into outbox (org_id, event)
    select r.org_id, r.event::jsonb
    from rows from (
      string_to_table(${organizations}::text, ${SEPARATOR}::text), string_to_table(${events}::text, ${SEPARATOR}::text)
    ) with ordinality as r(org_id, event, place)
    order by r.place`;
}
