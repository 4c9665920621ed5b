import { createJsonFormat } from '@tidewatch/bus/kafka/format/json-format';
import type { Event } from '@tidewatch/contracts/events/event';
import { PROBE_TYPE } from '@tidewatch/contracts/events/probe';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Sql } from '@tidewatch/database/connection';
import type { Installation } from '../harness/installation.ts';
import { readTopic } from './topic-values.ts';

/** The numbers of wrong events of alerts; all zero if everything is right. */
export interface EventReport {
  /** The number of transitions without an event, and of events without a transition or beyond the first. */
  missing: number;
  extra: number;
  /** The number of events that were not published, and of published ones that are not in the outbox. */
  unpublished: number;
  unknown: number;
}

/** Compares the outbox with the alerts: each firing and each resolution has exactly one event. */
async function compareOutbox(sql: Sql): Promise<Pick<EventReport, 'missing' | 'extra'>> {
  const [row] = await sql<{ missing: number; twice: number }[]>`
    with owed as (
      select id as subject, 'alert.fired' as type from alerts
      union all select id, 'alert.resolved' from alerts where status = 'resolved'
    ), emitted as (
      select event->>'subject' as subject, event->>'type' as type, count(*) as times from outbox
      where event->>'type' in ('alert.fired', 'alert.resolved') group by 1, 2
    )
    select count(*) filter (where emitted.subject is null)::integer as missing,
      coalesce(sum(emitted.times - (owed.subject is not null)::integer), 0)::integer as twice
    from owed full join emitted using (subject, type)`;
  return { missing: row?.missing ?? 0, extra: row?.twice ?? 0 };
}

/** Events of probes are deleted from the outbox once they are published. */
const isProbe = (type: string) => type === PROBE_TYPE;

/** The ids of the events in their topic, without probes. */
export async function readPublished(installation: Installation): Promise<Set<string>> {
  const format = createJsonFormat<Event>();
  const published = new Set<string>();
  for (const { value } of await readTopic(installation, TOPICS.events))
    for (const { id, type } of format.decode(value as Buffer)) if (!isProbe(type)) published.add(id);
  return published;
}

/** Compares alerts, outbox and topic of events, including the events that the topic had before a case emptied it. */
export async function compareEvents(installation: Installation): Promise<EventReport> {
  const { sql } = installation.store;
  const published = new Set([...installation.emptiedEvents, ...(await readPublished(installation))]);
  const rows = await sql<{ id: string; type: string }[]>`
    select event->>'id' as id, event->>'type' as type from outbox`;
  const written = new Set(rows.filter(({ type }) => !isProbe(type)).map(({ id }) => id));
  return {
    ...(await compareOutbox(sql)),
    unpublished: [...written].filter((id) => !published.has(id)).length,
    unknown: [...published].filter((id) => !written.has(id)).length,
  };
}
