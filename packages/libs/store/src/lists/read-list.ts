import type { Sql } from '@tidewatch/database/connection';
import { comesAfter, type ListOrder, orderBy } from './order.ts';
import { type Fragment, pageAndTotal } from './page-rows.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';

/** A list that is ordered by (column, id). */
export interface List {
  /** The statement that selects the rows of the list: their id, and the columns by which the list is ordered. */
  rows: Fragment;
  /** The statement that counts the rows, if it is cheaper than reading them; else null. */
  total: Fragment | null;
  /** The columns to return of each row of the page, and the joins to `page` (which has the ids) that provide them. */
  columns: Fragment;
  joins: Fragment;
}

/** Reads a part of the list with its total by one statement; by two for a far offset. `record` makes an entry of each row. */
export async function readList<Row, Entry>(
  sql: Sql,
  { rows, total, columns, joins }: List,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
  record: (row: Row) => Entry,
): Promise<ListPart<Entry>> {
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`
      select (${total ?? sql`select count(*) from (${rows}) c`})::int as total`;
    return row?.total ?? 0;
  };
  const part = await readPart<Row & { total: number }>(window, count, ({ skip, take, backwards }, known) => {
    const after = comesAfter(sql, order, window.after);
    const list = { rows, order: orderBy(sql, order, backwards), total, after };
    return sql<(Row & { total: number })[]>`
      with ${pageAndTotal(sql, list, { skip, take }, known)}
      select (select total from counted) as total, ${columns} from page ${joins}
      order by ${orderBy(sql, order, false, 'page')}`;
  });
  return { total: part.total, rows: part.rows.map((row) => record(row)) };
}
