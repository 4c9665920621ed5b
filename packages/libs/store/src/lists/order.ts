import type { Queryable } from '@tidewatch/database/connection';
import type { Fragment } from './page-rows.ts';

/** The order of a list: a column of its rows, and ties by id in the same direction. */
export interface ListOrder {
  column: string;
  type: 'text' | 'timestamptz' | 'int8';
  descending: boolean;
}

/** The order of lists that a request cannot order. */
export const OLDEST_FIRST: ListOrder = { column: 'created_at', type: 'timestamptz', descending: false };

/** The `order by` columns of a list, reversed if `backwards`; `of` qualifies them with a relation. */
export function orderBy(sql: Queryable, order: ListOrder, backwards = false, of?: string): Fragment {
  const { column, descending } = order;
  const direction = descending === backwards ? sql`` : sql`desc`;
  const name = (each: string) => sql(of === undefined ? each : `${of}.${each}`);
  return sql`${name(column)} ${direction}, ${name('id')} ${direction}`;
}

/** The condition that a row comes after the row with this sort key; null without a key. */
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
