import { fingerprint } from './fingerprint.ts';

export type CursorValue = string | number | null;

/** Maximum length of a valid cursor. */
const MAX_CURSOR = 8_192;

/** The list and filters for which a cursor is valid. */
export interface CursorContext {
  /** Name of the list and its order, e.g. `services` or `alerts`. */
  list: string;
  /** The filters of the request, without the page's size; undefined ones count as absent, the order of keys does not matter. */
  filters: Readonly<Record<string, unknown>>;
}

export type CursorFault = 'malformed' | 'other_list' | 'other_filters';

/** An opaque, URL-safe text of the last row's sort key; `key` ends in the id. Times go in as ms or ISO texts. */
export function encodeCursor(cursor: CursorContext & { key: readonly CursorValue[] }): string {
  return Buffer.from(
    JSON.stringify([cursor.list, fingerprint(canonical(cursor.filters)), cursor.key]),
  ).toString('base64url');
}

/**
 * Decodes a cursor to the key of the last row, or returns why it is refused. Cursors are not signed, since a forged one
 * only selects another page of a list that may be read anyway; so every text in it is validated for the database, and with
 * `shape` the types of the key.
 */
export function decodeCursor(
  text: string,
  context: CursorContext,
  shape?: readonly ('string' | 'number')[],
): { key: CursorValue[] } | { fault: CursorFault } {
  const parts = parse(text);
  if (parts === undefined) return { fault: 'malformed' };
  const [list, filters, key] = parts;
  if (list !== context.list) return { fault: 'other_list' };
  if (filters !== fingerprint(canonical(context.filters))) return { fault: 'other_filters' };
  if (!Array.isArray(key) || !key.every(isCursorValue)) return { fault: 'malformed' };
  if (shape && !(key.length === shape.length && key.every((value, index) => typeof value === shape[index])))
    return { fault: 'malformed' };
  return { key };
}

function parse(text: string): unknown[] | undefined {
  if (text.length > MAX_CURSOR || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) && parts.length === 3 ? parts : undefined;
  } catch {
    return undefined;
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  if (value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** The value without undefined members and with sorted keys. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)]);
}
