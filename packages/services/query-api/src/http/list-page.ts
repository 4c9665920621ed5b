import { faultProblem } from '@tidewatch/contracts/problems/problem';
import type { Pagination } from '@tidewatch/contracts/queries/page';
import {
  type CursorContext,
  type CursorFault,
  type CursorValue,
  decodeCursor,
  encodeCursor,
} from '@tidewatch/domain/page/cursor';
import type { ListPart, PageWindow } from '@tidewatch/store/lists/page-window';

const MESSAGES: Record<CursorFault, string> = {
  malformed: 'Is not a cursor of this service.',
  other_list: 'Is a cursor of another list.',
  other_filters: 'Is a cursor of other filters or of another order.',
};

/** The end of the year 9999, the last that PostgreSQL and ISO 8601 write in the same way. */
const LAST_TIME = 253_402_300_799_999;

/** A list, the filters of the request, and the types of its sort key; a number in the key is a time or a rank, unless it may be measured. */
export interface ListContext extends CursorContext {
  shape: readonly ('string' | 'number')[];
  /** Whether numbers in the key may be measured, and so any finite number. Default false. */
  isMeasured?: boolean;
}

interface PageQuery {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

/** Reads where the page begins. Throws 422 for a cursor of another list or of other filters. */
export function readWindow<Key extends readonly CursorValue[]>(
  query: PageQuery,
  context: ListContext,
): PageWindow<Key> {
  const { limit, offset = 0, cursor } = query;
  if (cursor === undefined) return { limit, offset, after: null };
  const decoded = decodeCursor(cursor, context, context.shape);
  const isKey = 'key' in decoded && (context.isMeasured === true || decoded.key.every(isPlausible));
  const fault = 'fault' in decoded ? decoded.fault : isKey ? undefined : 'malformed';
  if (fault !== undefined) throw faultProblem('query', '/cursor', fault, MESSAGES[fault]);
  return { limit, offset, after: (decoded as { key: CursorValue[] }).key as unknown as Key };
}

/** The rows of the page and its position in the list; `keyOf` returns the sort key of a row. */
export function paginate<Row>(
  part: ListPart<Row>,
  window: PageWindow<unknown>,
  context: ListContext,
  keyOf: (row: Row) => readonly CursorValue[],
): { rows: Row[]; pagination: Pagination } {
  const rows = part.rows.slice(0, window.limit);
  const last = rows.at(-1);
  const more = part.rows.length > window.limit && last !== undefined;
  const offset = window.after === null ? window.offset : null;
  const pagination: Pagination = {
    total: part.total,
    limit: window.limit,
    offset,
    has_more: more,
    next_offset: more && offset !== null ? offset + window.limit : null,
    next_cursor: more
      ? encodeCursor({ list: context.list, filters: context.filters, key: keyOf(last) })
      : null,
  };
  return { rows, pagination };
}

function isPlausible(value: CursorValue): boolean {
  return typeof value !== 'number' || (Number.isSafeInteger(value) && value >= 0 && value <= LAST_TIME);
}
