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

/** How to reach the window's rows with the fewest steps in a list of `total` rows; null where that is not known. */
export function sliceOf(window: PageWindow<unknown>, total: number | null): Slice {
  const take = window.limit + 1;
  const skip = window.after === null ? window.offset : 0;
  const left = total === null ? Number.POSITIVE_INFINITY : total - skip;
  if (left > skip) return { skip, take, backwards: false };
  if (left <= 0) return { skip: 0, take: 0, backwards: true };
  return { skip: Math.max(0, left - take), take: Math.min(take, left), backwards: true };
}

/**
 * Reads total and page in one statement, whose rows all say the total. Only where the offset is far and `read` does not
 * find it by itself does the page wait for the total, which `read` is then told. `read` answers rows in list order.
 */
export async function readPart<Row extends { total: number }>(
  window: PageWindow<unknown>,
  count: () => Promise<number>,
  read: (slice: Slice, total: number | null) => Promise<Row[]>,
  findsOffset = false,
): Promise<ListPart<Row>> {
  const isFar = window.after === null && window.offset > NEAR_OFFSET && !findsOffset;
  const known = isFar ? await count() : null;
  if (known !== null && known <= window.offset) return { total: known, rows: [] };
  const rows = await read(sliceOf(window, known), known);
  const [first] = rows;
  if (first !== undefined) return { total: first.total, rows };
  const isWhole = window.after === null && window.offset === 0;
  return { total: isWhole ? 0 : await count(), rows };
}
