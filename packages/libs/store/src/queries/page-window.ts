/** Which part of a list is wanted: `after` is the sort key of the last row of the page before, and wins over `offset`. */
export interface PageWindow<Key> {
  limit: number;
  offset: number;
  after: Key | null;
}

/** A part of a list: one row more than `limit` where another page follows. `total` counts the whole list, exactly. */
export interface ListPart<Row> {
  rows: Row[];
  total: number;
}

/** Rows to skip and to take in the list's order, or against it where the end is nearer. */
export interface Slice {
  skip: number;
  take: number;
  backwards: boolean;
}

/** An offset up to here is read along with the total instead of after it. */
export const NEAR_OFFSET = 1_000;

/** How to reach the window's rows with the fewest steps in a list of `total` rows. */
export function sliceOf(window: PageWindow<unknown>, total: number): Slice {
  const take = window.limit + 1;
  if (window.after !== null) return { skip: 0, take, backwards: false };
  const left = total - window.offset;
  if (window.offset <= NEAR_OFFSET || left > window.offset)
    return { skip: window.offset, take, backwards: false };
  if (left <= 0) return { skip: 0, take: 0, backwards: true };
  return { skip: Math.max(0, left - take), take: Math.min(take, left), backwards: true };
}

/** Reads total and page at once, where `read` finds the offset by itself. */
export async function readFar<Row>(
  count: () => Promise<number>,
  offset: number,
  read: () => Promise<Row[]>,
): Promise<ListPart<Row>> {
  const [total, rows] = await Promise.all([count(), read()]);
  return { rows, total: rows.length > 0 ? Math.max(total, offset + rows.length) : total };
}

/** Reads total and page; the page waits for the total only where the offset is far. `read` answers rows in list order. */
export async function readPart<Row>(
  window: PageWindow<unknown>,
  count: () => Promise<number>,
  read: (slice: Slice) => Promise<Row[]>,
): Promise<ListPart<Row>> {
  if (window.after === null && window.offset > NEAR_OFFSET) {
    const total = await count();
    return { total, rows: total <= window.offset ? [] : await read(sliceOf(window, total)) };
  }
  const [total, rows] = await Promise.all([count(), read(sliceOf(window, 0))]);
  const seen = window.after === null && rows.length > 0 ? window.offset + rows.length : rows.length;
  return { rows, total: Math.max(total, seen) };
}
