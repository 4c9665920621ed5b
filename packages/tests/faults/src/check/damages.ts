import type { Sql } from '@tidewatch/database/connection';

/** Damage to stored data that the comparison with the ledger must find, and how to repair it. */
export interface Damage {
  name: string;
  /** Matches the fault that the comparison must report. */
  found: RegExp;
  inflict(sql: Sql): Promise<unknown>;
  repair(sql: Sql): Promise<unknown>;
}

/**
 * Damages to one row of a table, which is copied first so that it can be restored. `key` names columns that stay unchanged.
 */
function toRow(table: string, key: string, where: string) {
  const kept = `kept_${table}`;
  const same = `(${key}) = (select ${key} from ${kept})`;
  const keep = `drop table if exists ${kept};
    create table ${kept} as select * from ${table} ${where} order by ${key} limit 1;`;
  return (damage: string) => ({
    inflict: (sql: Sql) =>
      sql.unsafe(`${keep} ${damage.replaceAll('$same', same).replaceAll('$kept', kept)}`),
    repair: (sql: Sql) =>
      sql.unsafe(`delete from ${table} where ${same};
        insert into ${table} overriding system value select * from ${kept}; drop table ${kept}`),
  });
}

const sample = toRow('samples', 'block_id, "time"', '');
const alert = toRow('alerts', 'id', `where starts_with(host, 'bench-')`);
const event = toRow('outbox', 'id', `where event->>'type' = 'alert.fired'`);
// A copy of an event with a negative number, which no real event has: probe events get numbers during the check.
const copyOfEvent = (sql: Sql) =>
  sql`insert into outbox (organization_id, event, sequence, published_at)
    select organization_id, event, -sequence, published_at from outbox where event->>'type' = 'alert.fired' limit 1`;
const removeCopy = (sql: Sql) =>
  sql`delete from outbox copy using outbox original
    where copy.event->>'id' = original.event->>'id' and copy.id > original.id`;

/** Damages to samples, alerts and events: a row is removed, changed or duplicated. The comparison must find each. */
export const DAMAGES: readonly Damage[] = [
  { name: 'a sample removed', found: /rows differ/, ...sample('delete from samples where $same') },
  { name: 'a sample altered', found: /rows differ/, ...sample('update samples set v3 = v3 + 1 where $same') },
  {
    name: 'a sample doubled',
    found: /rows differ/,
    ...sample('drop index samples_key; insert into samples select * from $kept'),
  },
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
