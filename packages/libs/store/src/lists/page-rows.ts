import type { Sql } from '@tidewatch/database/connection';

const fragment = (sql: Sql) => sql``;
export type Fragment = ReturnType<typeof fragment>;

/** A statement and its `order by` columns, unqualified. */
export interface OrderedRows {
  rows: Fragment;
  order: Fragment;
}

/**
 * Orders the statement `rows` and limits it to `take` rows after `skip`. The text also contains the next power of two as a
 * literal limit: for a parameter, PostgreSQL would assume a tenth of the table and plan each request again.
 */
export function cutRows(
  sql: Sql,
  { rows, order }: OrderedRows,
  skip: number | Fragment,
  take: number,
): Fragment {
  const planLimit = powerFor(take);
  const from = skip === 0 ? sql`` : sql`offset ${skip}`;
  // With the outer order, the planner knows that the page is sorted already.
  return sql`select * from (${rows} order by ${order} ${from} limit ${sql.unsafe(String(planLimit))}) first
    order by ${order} limit ${take}`;
}

/** A list from which a page and the total number of rows are read. */
export interface CountedRows extends OrderedRows {
  /** The statement that counts the rows, if it is cheaper than reading them; else null. */
  total: Fragment | null;
  /** The condition that leaves out the previous pages. */
  after: Fragment | null;
  /** Whether an index has the rows in order, so that the first rows can be read without the others. Default false. */
  isIndexed?: boolean;
  /** The condition that a row comes after the last one of the relation `list`, by which an index finds the rows after the first. */
  beyond?: Fragment;
}

/** As many first rows as a page needs, within these bounds, are materialized for total and page; a shorter list is read once. */
const MIN_KEPT_ROWS = 1_024;
/** For a page further on, all rows are materialized. */
const MAX_KEPT_ROWS = 4_096;

/**
 * Common table expressions that end in `counted (total)` and `page`. If counting needs the rows, they are materialized
 * once, unless counting again is cheaper. `known` is the total if it was read before.
 */
export function pageAndTotal(
  sql: Sql,
  list: CountedRows,
  { skip, take }: { skip: number | Fragment; take: number },
  known: number | null,
): Fragment {
  const { rows, order, after, beyond } = list;
  const page = (from: Fragment) => sql`page as materialized (
      ${cutRows(sql, { rows: sql`${from} and (select total from counted) > 0 ${after ?? sql``}`, order }, skip, take)}
    )`;
  const counted = (total: Fragment) => sql`counted as materialized (select (${total})::int as total)`;
  if (known !== null) return sql`${counted(sql`${known}`)}, ${page(rows)}`;
  if (list.total !== null) return sql`${counted(list.total)}, ${page(rows)}`;
  const all = sql`select count(*) from (${rows}) every`;
  if (list.isIndexed && after !== null) return sql`${counted(all)}, ${page(rows)}`;
  const keepsAll = !list.isIndexed || typeof skip !== 'number' || skip + take > MAX_KEPT_ROWS;
  const kept = sql`select count(*) from list`;
  const limit = sql.unsafe(String(keepsAll ? MAX_KEPT_ROWS : Math.max(powerFor(skip + take), MIN_KEPT_ROWS)));
  const every = beyond === undefined ? all : sql`select ${limit} + count(*) from (${rows} ${beyond}) others`;
  return sql`
    list as materialized (${rows} order by ${order} ${keepsAll ? sql`` : sql`limit ${limit}`}),
    ${counted(keepsAll ? kept : sql`select case when (${kept}) < ${limit} then (${kept}) else (${every}) end`)},
    ${page(sql`select * from list where true`)}`;
}

/** The least power of two that is at least `rows`. */
function powerFor(rows: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(rows, 1)));
}
