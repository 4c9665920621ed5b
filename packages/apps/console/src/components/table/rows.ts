/** Moves the row that has the focus by a key; undefined where the key means nothing to a table. */
export function rowAfterKey(key: string, row: number, count: number, pageRows: number): number | undefined {
  const last = count - 1;
  if (last < 0) return undefined;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    j: row + 1,
    ArrowUp: row - 1,
    k: row - 1,
    PageDown: row + pageRows,
    PageUp: row - pageRows,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), last);
}
