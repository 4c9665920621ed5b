import type { Sql } from '../connection.ts';

const fragment = (sql: Sql) => sql``;
type Fragment = ReturnType<typeof fragment>;

/**
 * The ordered statement `rows`, cut to `take` rows after `skip`. A limit that is a parameter lets PostgreSQL expect a
 * tenth of the table, so that it plans anew for every request; so the next power of two stands in the text as well.
 */
export function cutRows(sql: Sql, rows: Fragment, skip: number | Fragment, take: number): Fragment {
  const atMost = 2 ** Math.ceil(Math.log2(Math.max(take, 1)));
  const from = skip === 0 ? sql`` : sql`offset ${skip}`;
  return sql`select * from (${rows} ${from} limit ${sql.unsafe(String(atMost))}) first limit ${take}`;
}
