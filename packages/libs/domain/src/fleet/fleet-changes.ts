/** Numbers of hosts; NaN where a host has none. */
export type NumberColumn = Float64Array | Int32Array;

/** The columns of a fleet: entry `n` of each belongs to the same host, in the order of names. Times are ms. */
export interface FleetColumns {
  id: readonly string[];
  name: readonly string[];
  status: readonly string[];
  status_since: NumberColumn;
  last_seen: NumberColumn;
  cpu_percent: NumberColumn;
  memory_percent: NumberColumn;
  disk_percent: NumberColumn;
  critical: NumberColumn;
  warning: NumberColumn;
  info: NumberColumn;
}

export type TagColumns = ReadonlyMap<string, readonly (string | null)[]>;

/** All hosts as they were at one moment between `from` and `upTo`, microseconds of the clock of the database. */
export interface FleetRead {
  columns: FleetColumns;
  tags: TagColumns;
  from: number;
  upTo: number;
}

/** A read of the fleet, and which of its hosts changed with which of the reads before. */
export interface Fleet extends FleetRead {
  /** Distinguishes fleets of different processes, and of one process after it has forgotten the fleet. */
  source: string;
  /** For each host the `upTo` of the read that first showed it as it is. */
  changedAt: Float64Array;
  /** For each tag the `upTo` of the first of the uninterrupted reads that had it. */
  tagsSince: ReadonlyMap<string, number>;
  /** Hosts that left, by the `upTo` of the first read without them, oldest first. */
  removed: readonly { id: string; at: number }[];
  /** Everything that changed in reads after this `upTo` is known. */
  knownSince: number;
}

/** Which read a client has: its source and its times. */
export type FleetToken = Pick<Fleet, 'source' | 'from' | 'upTo'>;

/** Hosts by their position in the columns; `removed` are the ids of those that left. */
export interface FleetChanges {
  full: boolean;
  rows: readonly number[];
  removed: readonly string[];
}

const MAX_REMOVED = 5_000;

/**
 * The fleet after a further read. Where there is no earlier read, or the clock of the database was set back since, `source`
 * names a fleet of which nothing earlier is known.
 */
export function nextFleet(previous: Fleet | null, read: FleetRead, source: string): Fleet {
  const { columns, tags, upTo } = read;
  const known = previous !== null && read.from >= previous.upTo ? previous : null;
  const changedAt = new Float64Array(columns.id.length).fill(upTo);
  const tagsSince = new Map([...tags.keys()].map((tag) => [tag, known?.tagsSince.get(tag) ?? upTo]));
  if (known === null) return { ...read, source, changedAt, tagsSince, removed: [], knownSince: upTo };
  const before = positions(known.columns.id, columns.id);
  const isChanged = new Uint8Array(columns.id.length);
  // A column that is the same object has the same values, of the same hosts.
  for (const [old, now] of comparedColumns(known, read))
    if (old !== now) markChanged(isChanged, before.found, old, now);
  for (let row = 0; row < isChanged.length; row += 1) {
    const earlier = before.found[row] as number;
    if (earlier >= 0 && isChanged[row] === 0) changedAt[row] = known.changedAt[earlier] as number;
  }
  const removed = [...known.removed, ...before.lost.map((id) => ({ id, at: upTo }))];
  const forgotten = removed.splice(0, Math.max(0, removed.length - MAX_REMOVED));
  const knownSince = Math.max(known.knownSince, forgotten.at(-1)?.at ?? 0);
  return { ...read, source: known.source, changedAt, tagsSince, removed, knownSince };
}

/**
 * What changed since the read that the token names; all hosts where that is not known, or where there is no token. A token of
 * another source is compared by time: the same change may be answered twice, and none is left out.
 */
export function changesSince(fleet: Fleet, tags: readonly string[], token: FleetToken | null): FleetChanges {
  const since = token?.source === fleet.source ? token.upTo : token?.from;
  const knownSince = Math.max(fleet.knownSince, ...tags.map((tag) => fleet.tagsSince.get(tag) ?? Infinity));
  if (since === undefined || since < knownSince || since > fleet.upTo)
    return { full: true, rows: [...fleet.columns.id.keys()], removed: [] };
  const rows: number[] = [];
  for (const [row, at] of fleet.changedAt.entries()) if (at > since) rows.push(row);
  const present = fleet.removed.length === 0 ? null : new Set(fleet.columns.id);
  const left = fleet.removed.filter(({ id, at }) => at > since && !present?.has(id)).map(({ id }) => id);
  return { full: false, rows, removed: [...new Set(left)] };
}

/** For each id of `now` its position in `before` or -1, and the ids of `before` that `now` lacks. */
function positions(before: readonly string[], now: readonly string[]) {
  const found = new Int32Array(now.length).fill(-1);
  const isSame =
    before === now || (before.length === now.length && before.every((id, index) => id === now[index]));
  if (isSame) {
    for (let index = 0; index < found.length; index += 1) found[index] = index;
    return { found, lost: [] };
  }
  const known = new Map(before.map((id, index) => [id, index]));
  for (const [row, id] of now.entries()) {
    found[row] = known.get(id) ?? -1;
    known.delete(id);
  }
  return { found, lost: [...known.keys()] };
}

/** Marks the rows whose value in this column is not what it was: column by column, which is faster than host by host. */
function markChanged(isChanged: Uint8Array, found: Int32Array, old: Column, now: Column): void {
  for (let row = 0; row < found.length; row += 1) {
    const earlier = found[row] as number;
    // NaN stands for no value, which is the same as before where it is NaN again.
    if (earlier >= 0 && !Object.is(old[earlier], now[row])) isChanged[row] = 1;
  }
}

type Column = ArrayLike<string | number | null>;

/** The columns that both reads have, each with its earlier values. */
function comparedColumns(before: FleetRead, now: FleetRead) {
  const names = Object.keys(now.columns) as (keyof FleetColumns)[];
  const compared: [Column, Column][] = names.map((name) => [before.columns[name], now.columns[name]]);
  for (const [tag, values] of now.tags) {
    const earlier = before.tags.get(tag);
    if (earlier !== undefined) compared.push([earlier, values]);
  }
  return compared;
}
