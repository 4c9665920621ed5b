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

/**
 * The keys of a list's rows so far, after `shown` are its rows. `known` takes them up; those that left are
 * forgotten once they are too many.
 */
export function knownKeys(known: Set<string>, shown: readonly string[]): Set<string> {
  for (const key of shown) known.add(key);
  return known.size > shown.length + MAX_LEFT ? new Set(shown) : known;
}
