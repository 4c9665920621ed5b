import type { Sql } from '@tidewatch/database/connection';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { type Damage, toRow } from './damage.ts';
import { SAMPLE_DAMAGES } from './sample-damages.ts';

const alert = toRow('alerts', 'id', `where starts_with(host, 'bench-')`);
const event = toRow('outbox', 'id', `where event->>'type' = 'alert.fired'`);
// A copy of an event with a negative number, which no real event has: probe events get numbers during the check.
const copyOfEvent = (sql: Sql) =>
  sql`insert into outbox (organization_id, event, sequence, published_at)
    select organization_id, event, -sequence, published_at from outbox where event->>'type' = 'alert.fired' limit 1`;
const removeCopy = (sql: Sql) =>
  sql`delete from outbox copy using outbox original
    where copy.event->>'id' = original.event->>'id' and copy.id > original.id`;

const RECORD_DAMAGES: readonly Damage[] = [
  { name: 'an alert removed', found: /alerts missing/, ...alert('delete from alerts where $same') },
  {
    name: 'an alert altered',
    found: /alerts missing/,
    ...alert(`update alerts set fired_at = fired_at + interval '10 seconds' where $same`),
  },
  {
    name: 'an alert doubled',
    found: /alerts that nothing calls for/,
    ...alert(`create table twin as select * from $kept; update twin set id = id || 'x';
      insert into alerts select * from twin; drop table twin`),
    repair: (sql) => sql`delete from alerts where id like '%x'`,
  },
  { name: 'an event removed', found: /without an event/, ...event('delete from outbox where $same') },
  {
    name: 'an event doubled',
    found: /events too many/,
    inflict: copyOfEvent,
    repair: removeCopy,
  },
];

/** Damages to samples, alerts and events: a row is removed, changed or duplicated. The comparison must find each. */
export const damagesOf = (layout: SampleLayout): readonly Damage[] => [
  ...SAMPLE_DAMAGES[layout],
  ...RECORD_DAMAGES,
];
