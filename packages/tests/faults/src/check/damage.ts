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
export function toRow(table: string, key: string, where: string) {
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
