import { sendBeforeCommit } from '@tidewatch/database/before-commit';
import type { Queryable, Transaction } from '@tidewatch/database/connection';

export interface UnpublishedEvent {
  id: number;
  organizationId: string;
  sequence: number;
  event: Record<string, unknown>;
}

/** Whether all committed events were published. */
export async function isOutboxEmpty(sql: Queryable): Promise<boolean> {
  return (await sql`select 1 from outbox where sequence is null limit 1`).length === 0;
}

interface EventRow {
  id: number;
  organization_id: string;
  event: Record<string, unknown>;
}

/** Up to this many organizations take turns; if more have unpublished events, the oldest events are taken. */
const MAX_ORGANIZATIONS = 100;

/**
 * The oldest unpublished events; if there are more than `limit`, events of organizations in turn, so that an alert storm of
 * one organization delays no other.
 */
async function nextEvents(tx: Transaction, limit: number): Promise<EventRow[]> {
  const oldest = await tx<EventRow[]>`
    select o.id::float8 as id, o.organization_id, o.event from outbox o where o.sequence is null order by o.id limit ${limit}`;
  if (oldest.length < limit) return oldest;
  const organizations = await tx<{ organization_id: string }[]>`
    with recursive waiting as (
      (select o.organization_id from outbox o where o.sequence is null order by o.organization_id limit 1)
      union all
      select (select o.organization_id from outbox o where o.sequence is null and o.organization_id > w.organization_id order by o.organization_id limit 1)
      from waiting w where w.organization_id is not null
    )
    select organization_id from waiting where organization_id is not null limit ${MAX_ORGANIZATIONS + 1}`;
  if (organizations.length === 1 || organizations.length > MAX_ORGANIZATIONS) return oldest;
  const ids = JSON.stringify(organizations.map(({ organization_id }) => organization_id));
  return tx<EventRow[]>`
    select turns.id::float8 as id, turns.organization_id, o.event
    from (
      select e.id, w.organization_id, e.turn from json_array_elements_text(${ids}::text::json) as w(organization_id) cross join lateral (
        select o.id, row_number() over (order by o.id) as turn from outbox o
        where o.sequence is null and o.organization_id = w.organization_id order by o.id limit ${limit}
      ) e order by e.turn, e.id limit ${limit}
    ) turns join outbox o on o.id = turns.id order by turns.turn, turns.id`;
}

/**
 * Assigns sequence numbers to the next events; only one process may do so at a time. The numbers come from a counter,
 * because retention may empty the outbox.
 */
export async function numberEvents(tx: Transaction, limit: number): Promise<UnpublishedEvent[]> {
  const rows = await nextEvents(tx, limit);
  if (rows.length === 0) return [];
  const [counter] = await tx<{ next_offset: number }[]>`
    insert into consumer_offsets as c (consumer, topic, partition, next_offset, epoch)
    values ('outbox-relay', 'outbox', 0, ${rows.length + 1}, 0)
    on conflict (consumer, topic, partition) do update set next_offset = c.next_offset + ${rows.length}
    returning next_offset::float8 as next_offset`;
  const first = (counter?.next_offset ?? rows.length + 1) - rows.length;
  return rows.map((row, place) => ({
    id: row.id,
    organizationId: row.organization_id,
    sequence: first + place,
    event: row.event,
  }));
}

/** Stores the sequence numbers of events and marks them as published, as the last statement of the transaction. */
export async function markPublished(tx: Transaction, events: readonly UnpublishedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ id: event.id, sequence: event.sequence }));
  const marking = tx`update outbox o set sequence = r.sequence, published_at = now()
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id bigint, sequence bigint)
    where o.id = r.id`;
  await sendBeforeCommit(tx, marking);
}
