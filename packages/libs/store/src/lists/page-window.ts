/** The requested part of a list: `after` is the sort key of the last row of the previous page, and overrides `offset`. */
export interface PageWindow<Key> {
  limit: number;
  offset: number;
  after: Key | null;
}

/** A part of a list: one row more than `limit` if another page follows. `total` is the exact length of the list. */
export interface ListPart<Row> {
  rows: Row[];
  total: number;
}

/** Rows to skip and to take in the order of the list, or in reverse if the end is nearer. */
export interface Slice {
  skip: number;
  take: number;
  backwards: boolean;
}

/** Up to this offset, page and total are read by one statement. */
export const NEAR_OFFSET = 1_000;

/**
 * Chooses from which end of the list the requested page is read: from its end if that is nearer, so that the database
 * skips fewer rows. `total` is null if it is not known; the page is then read from the start.
 */
export function sliceOf(window: PageWindow<unknown>, total: number | null): Slice {
  const take = window.limit + 1;
  const skip = window.after === null ? window.offset : 0;
  const left = total === null ? Number.POSITIVE_INFINITY : total - skip;
  if (left > skip) return { skip, take, backwards: false };
  if (left <= 0) return { skip: 0, take: 0, backwards: true };
  return { skip: Math.max(0, left - take), take: Math.min(take, left), backwards: true };
}

/**
 * Reads page and total by one statement, each of whose rows contains the total. For a far offset, unless `findsOffset` is
 * set, counts first and passes the total to `read`. `read` must return rows in the order of the list.
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
