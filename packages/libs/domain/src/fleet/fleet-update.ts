import type { FleetColumns, FleetRead, TagColumns } from './fleet-changes.ts';

/** New values of hosts: entry `n` of each column and tag is that of the host `id[n]`. */
export interface FleetPart {
  id: readonly string[];
  columns: Partial<FleetColumns>;
  tags: TagColumns;
}

/** What may have changed since a read of all hosts, as it was at one moment between `from` and `upTo`, microseconds. */
export interface FleetUpdate {
  parts: readonly FleetPart[];
  /** Hosts that are no longer listed, some of which may not have been before. */
  unlisted: readonly string[];
  from: number;
  upTo: number;
}

/** Rows by id, once for all reads of the same hosts. */
const rowsById = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/**
 * The read with the new values; columns in which nothing changed stay the same objects. Null where hosts came or left, or where
 * the read lacks a tag: all hosts are to be read again then.
 */
export function withUpdate(all: FleetRead, { parts, unlisted, from, upTo }: FleetUpdate): FleetRead | null {
  const known = rowsOf(all.columns.id);
  if (unlisted.some((id) => known.has(id))) return null;
  const columns: { [Name in keyof FleetColumns]: FleetColumns[Name] } = { ...all.columns };
  const tags = new Map(all.tags);
  for (const part of parts) {
    const rows = part.id.map((id) => known.get(id) ?? -1);
    if (rows.includes(-1)) return null;
    for (const [name, values] of Object.entries(part.columns)) {
      const column = name as keyof FleetColumns;
      columns[column] = replaced<string | number>(columns[column], values, rows) as never;
    }
    for (const [tag, values] of part.tags) {
      const before = tags.get(tag);
      if (before === undefined) return null;
      tags.set(tag, replaced<string | null>(before, values, rows) as readonly (string | null)[]);
    }
  }
  return { columns, tags, from, upTo };
}

function rowsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  let rows = rowsById.get(ids);
  if (rows === undefined) {
    rows = new Map(ids.map((id, row) => [id, row]));
    rowsById.set(ids, rows);
  }
  return rows;
}

interface Column<Value> extends ArrayLike<Value> {
  slice(): Column<Value>;
}

/** The column with these values at these rows; the same one if they are there already. */
function replaced<Value>(
  before: Column<Value>,
  values: ArrayLike<Value>,
  rows: readonly number[],
): Column<Value> {
  let next: { [row: number]: Value } | null = null;
  for (const [index, row] of rows.entries()) {
    const value = values[index] as Value;
    if (Object.is(before[row], value)) continue;
    next ??= before.slice() as { [row: number]: Value };
    next[row] = value;
  }
  return (next as Column<Value> | null) ?? before;
}
