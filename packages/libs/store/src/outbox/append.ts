import type { Queryable } from '../connection.ts';

/** One CloudEvent on its way out; `event` is the whole envelope. */
export interface OutboxEntry {
  organizationId: string;
  event: object;
}

/** Stores events in the transaction of what they tell, in the order given. */
export async function appendEvents(tx: Queryable, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, place) => ({ place, org_id: entry.organizationId, event: entry.event }));
  await tx`insert into outbox (org_id, event)
    select org_id, event
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(place integer, org_id text, event jsonb)
    order by place`;
}
