/** What a list shows, and what waits because somebody reads it. */
export interface HeldRows<Row> {
  shown: readonly Row[];
  /** Rows that are new since the list was held; a button shows them. */
  waiting: number;
}

/**
 * The rows of a list that somebody reads: those of `held`, in their order, each as it is now or, if it has left the list,
 * as it was. New rows before the last one wait; rows behind it, such as those of a further page, are shown.
 */
export function heldRows<Row>(
  current: readonly Row[],
  held: readonly Row[],
  keyOf: (row: Row) => string,
): HeldRows<Row> {
  if (held.length === 0) return { shown: current, waiting: 0 };
  const now = new Map(current.map((row) => [keyOf(row), row]));
  const known = new Set(held.map(keyOf));
  const lastKnown = current.findLastIndex((row) => known.has(keyOf(row)));
  const fresh = current.filter((row) => !known.has(keyOf(row)));
  const behind = current.slice(lastKnown + 1);
  return {
    shown: [...held.map((row) => now.get(keyOf(row)) ?? row), ...(lastKnown < 0 ? [] : behind)],
    waiting: fresh.length - (lastKnown < 0 ? 0 : behind.length),
  };
}

/** So many keys of rows that have left a list are remembered: a page that stays open for days does not grow. */
export const MAX_LEFT = 1_000;

/** The keys of a list's rows so far, and which of them are news until when, ms. */
export interface ListHistory {
  keys: ReadonlySet<string>;
  fresh: ReadonlyMap<string, number>;
}

export const NO_HISTORY: ListHistory = { keys: new Set(), fresh: new Map() };

/**
 * The history after a list shows these keys; what is new is news until `until`. The first rows of a list are no news, and below a
 * known row a further page was loaded: only what appears above one is new.
 */
export function historyAfter(former: ListHistory, shown: readonly string[], until: number): ListHistory {
  const keys = knownKeys(former.keys, shown);
  if (former.keys.size === 0) return { keys, fresh: former.fresh };
  const lastFormer = shown.findLastIndex((key) => former.keys.has(key));
  const added = shown.filter((key, index) => index < lastFormer && !former.keys.has(key));
  if (added.length === 0) return { keys, fresh: former.fresh };
  return { keys, fresh: new Map([...former.fresh, ...added.map((key) => [key, until] as const)]) };
}

/** The history without the news whose time is over. */
export function historyAt(history: ListHistory, now: number): ListHistory {
  return { ...history, fresh: new Map([...history.fresh].filter(([, until]) => until > now)) };
}

/** The keys of a list's rows so far, after `shown` are its rows; those that left are forgotten once they are too many. */
export function knownKeys(known: ReadonlySet<string>, shown: readonly string[]): ReadonlySet<string> {
  if (shown.every((key) => known.has(key))) return known;
  const all = new Set([...known, ...shown]);
  return all.size > shown.length + MAX_LEFT ? new Set(shown) : all;
}
