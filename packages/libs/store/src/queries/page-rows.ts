import type { Sql } from '../connection.ts';

const fragment = (sql: Sql) => sql``;
export type Fragment = ReturnType<typeof fragment>;

/** A statement and what to order it by, columns of it without the names of their tables. */
export interface OrderedRows {
  rows: Fragment;
  order: Fragment;
}

/**
 * The statement `rows`, ordered by `order`, cut to `take` rows after `skip`. A limit that is a parameter lets PostgreSQL expect a
 * tenth of the table, so that it plans anew for every request; so the next power of two stands in the text as well.
 */
export function cutRows(
  sql: Sql,
  { rows, order }: OrderedRows,
  skip: number | Fragment,
  take: number,
): Fragment {
  const atMost = 2 ** Math.ceil(Math.log2(Math.max(take, 1)));
  const from = skip === 0 ? sql`` : sql`offset ${skip}`;
  // Said once more, the order is known to whoever reads the page, who need not sort then.
  return sql`select * from (${rows} order by ${order} ${from} limit ${sql.unsafe(String(atMost))}) first
    order by ${order} limit ${take}`;
}

/**
 * Common table expressions that end in `counted (total)` and `page`: the page of a list, and how many rows the list has.
 * `total` is the statement of that number where it does not take reading the rows; else all of them are read once, for
 * both. `known` is the total where it has been read before. `after` is a condition that leaves out the pages before.
 */
export function pageAndTotal(
  sql: Sql,
  list: OrderedRows & { total: Fragment | null; after: Fragment | null },
  { skip, take }: { skip: number | Fragment; take: number },
  known: number | null,
): Fragment {
  const { rows, order, after } = list;
  const isRead = list.total === null && known === null;
  const total = known !== null ? sql`${known}` : (list.total ?? sql`select count(*) from list`);
  const from = isRead ? sql`select * from list where true` : rows;
  return sql`${isRead ? sql`list as materialized (${rows} order by ${order}),` : sql``}
    counted as materialized (select (${total})::int as total),
    page as materialized (
      ${cutRows(sql, { rows: sql`${from} and (select total from counted) > 0 ${after ?? sql``}`, order }, skip, take)}
    )`;
}
