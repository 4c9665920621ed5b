import type { Sql } from '../database/connection.ts';

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

/** A list whose page is wanted along with how many rows it has. */
export interface CountedRows extends OrderedRows {
  /** The statement of how many there are where it does not take reading the rows. */
  total: Fragment | null;
  /** A condition that leaves out the pages before. */
  after: Fragment | null;
  /** Whether an index has the rows in their order, so that the first ones are had without the others. Default false. */
  isIndexed?: boolean;
}

/** So many of the first rows are kept for total and page together; a list that is shorter is read once. */
const KEPT_ROWS = 1_024;

/**
 * Common table expressions that end in `counted (total)` and `page`: the page of a list, and how many rows the list has.
 * Where the total takes reading them, no row is read twice unless counting it again costs less than keeping it. `known`
 * is the total where it has been read before.
 */
export function pageAndTotal(
  sql: Sql,
  list: CountedRows,
  { skip, take }: { skip: number | Fragment; take: number },
  known: number | null,
): Fragment {
  const { rows, order, after } = list;
  const page = (from: Fragment) => sql`page as materialized (
      ${cutRows(sql, { rows: sql`${from} and (select total from counted) > 0 ${after ?? sql``}`, order }, skip, take)}
    )`;
  const counted = (total: Fragment) => sql`counted as materialized (select (${total})::int as total)`;
  if (known !== null) return sql`${counted(sql`${known}`)}, ${page(rows)}`;
  if (list.total !== null) return sql`${counted(list.total)}, ${page(rows)}`;
  const all = sql`select count(*) from (${rows}) every`;
  if (list.isIndexed && after !== null) return sql`${counted(all)}, ${page(rows)}`;
  const keepsAll = !list.isIndexed || typeof skip !== 'number' || skip + take > KEPT_ROWS;
  const kept = sql`select count(*) from list`;
  const limit = sql.unsafe(String(KEPT_ROWS));
  return sql`
    list as materialized (${rows} order by ${order} ${keepsAll ? sql`` : sql`limit ${limit}`}),
    ${counted(keepsAll ? kept : sql`select case when (${kept}) < ${limit} then (${kept}) else (${all}) end`)},
    ${page(sql`select * from list where true`)}`;
}
