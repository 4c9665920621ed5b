import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { heldRows, historyAfter, historyAt, NO_HISTORY } from './held-rows.ts';

/** New rows are labelled for so long, ms. */
const NEW_MS = 10_000;
const NONE: readonly never[] = [];

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
): Pick<ReadonlySet<string>, 'has'> {
  const [former, setFormer] = useState({ list, shown: NONE as readonly Row[], history: NO_HISTORY });
  let { history } = former;
  // Set while it renders, so that a new row is rendered once, as a new one.
  if (former.list !== list || former.shown !== shown) {
    if (former.list !== list) history = NO_HISTORY;
    history = historyAfter(history, shown.map(keyOf), newsEnd());
    setFormer({ list, shown, history });
  }
  const { fresh } = history;
  useEffect(() => {
    if (fresh.size === 0) return;
    const first = Math.min(...fresh.values());
    const timer = setTimeout(
      () => setFormer((last) => ({ ...last, history: historyAt(last.history, performance.now()) })),
      first - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}

/** When a row that appears now is no longer new, ms: in whole seconds, so that rows of one second change together. */
function newsEnd(): number {
  return Math.ceil((performance.now() + NEW_MS) / 1_000) * 1_000;
}
