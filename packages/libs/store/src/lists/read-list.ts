import type { Sql } from '../database/connection.ts';
import { comesAfter, type ListOrder, orderBy } from './order.ts';
import { type Fragment, pageAndTotal } from './page-rows.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';

/** A list in an order that a sort key of (column, id) has. */
export interface List {
  /** The statement that chooses its rows: the columns of its orders, and the id. */
  rows: Fragment;
  /** The statement of how many there are where it does not take reading the rows. */
  total: Fragment | null;
  /** What is answered of a row, and where that comes from: joins to `page`, which has the ids. */
  columns: Fragment;
  joins: Fragment;
}

/** A part of the list, with its total, in one statement; of a far offset in two. */
export function readList<Row>(
  sql: Sql,
  { rows, total, columns, joins }: List,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Row & { total: number }>> {
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`
      select (${total ?? sql`select count(*) from (${rows}) c`})::int as total`;
    return row?.total ?? 0;
  };
  return readPart<Row & { total: number }>(window, count, ({ skip, take, backwards }, known) => {
    const after = comesAfter(sql, order, window.after);
    const list = { rows, order: orderBy(sql, order, backwards), total, after };
    return sql<(Row & { total: number })[]>`
      with ${pageAndTotal(sql, list, { skip, take }, known)}
      select (select total from counted) as total, ${columns} from page ${joins}
      order by ${orderBy(sql, order, false, 'page')}`;
  });
}
