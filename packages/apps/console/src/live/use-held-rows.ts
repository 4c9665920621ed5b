import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { heldRows, knownKeys } from './held-rows.ts';

/** New rows are labelled for so long, ms. */
const NEW_MS = 10_000;

/**
 * The rows of a list that does not jump: while it is held, new ones wait behind `release`. Rows that appeared by
 * themselves are in `fresh` for ten seconds. `list` names what is listed: another one begins from the start.
 */
export function useHeldRows<Row>(rows: readonly Row[], keyOf: (row: Row) => string, list: string) {
  const [held, setHeld] = useState<{ list: string; rows: readonly Row[] } | null>(null);
  const isHeld = held !== null && held.list === list;
  const { shown, waiting } = useMemo(
    () => heldRows(rows, isHeld ? held.rows : [], keyOf),
    [rows, isHeld, held, keyOf],
  );
  const shownNow = useRef(shown);
  useEffect(() => {
    shownNow.current = shown;
  });
  const hold = useCallback(
    (on: boolean) =>
      setHeld((former) => {
        if (!on) return null;
        return former?.list === list ? former : { list, rows: shownNow.current };
      }),
    [list],
  );
  const release = useCallback(() => setHeld({ list, rows }), [list, rows]);
  return { shown, waiting, hold, release, fresh: useFresh(shown, keyOf, list) };
}

/** The keys of rows that appeared after the first ones, until each has been there for a while. */
function useFresh<Row>(
  shown: readonly Row[],
  keyOf: (row: Row) => string,
  list: string,
): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const known = useRef<{ list: string; keys: Set<string> } | null>(null);
  useEffect(() => {
    const keys = shown.map(keyOf);
    if (known.current?.list !== list) {
      // The first rows of a list are not news.
      known.current = keys.length === 0 ? null : { list, keys: new Set(keys) };
      setFresh(new Set());
      return;
    }
    const { keys: former } = known.current;
    // Only what appears above a known row is new; below, a further page was loaded.
    const lastFormer = keys.findLastIndex((key) => former.has(key));
    const added = keys.filter((key, index) => !former.has(key) && index < lastFormer);
    known.current.keys = knownKeys(former, keys);
    if (added.length === 0) return;
    setFresh((old) => new Set([...old, ...added]));
    setTimeout(() => setFresh((old) => new Set([...old].filter((key) => !added.includes(key)))), NEW_MS);
  }, [shown, keyOf, list]);
  return fresh;
}
