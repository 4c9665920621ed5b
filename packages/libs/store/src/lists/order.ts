import type { Queryable } from '../database/connection.ts';
import type { Fragment } from './page-rows.ts';

/** What a list is ordered by: a column of its rows, ties by id the same way. */
export interface ListOrder {
  column: string;
  type: 'text' | 'timestamptz' | 'int8';
  descending: boolean;
}

/** `order by` of the list, or against it; `of` is the relation whose columns are meant, where that must be said. */
export function orderBy(sql: Queryable, order: ListOrder, backwards = false, of?: string): Fragment {
  const { column, descending } = order;
  const direction = descending === backwards ? sql`` : sql`desc`;
  const name = (each: string) => sql(of === undefined ? each : `${of}.${each}`);
  return sql`${name(column)} ${direction}, ${name('id')} ${direction}`;
}

/** The condition that a row comes after the one with this key; null where there is none. */
export function comesAfter(
  sql: Queryable,
  { column, type, descending }: ListOrder,
  after: readonly [string | number, string] | null,
): Fragment | null {
  if (after === null) return null;
  const key = type === 'text' ? sql`${after[0]}` : sql`${after[0]}::${sql.unsafe(type)}`;
  const row = sql`(${sql(column)}, id)`;
  return descending ? sql`and ${row} < (${key}, ${after[1]})` : sql`and ${row} > (${key}, ${after[1]})`;
}
