/** The row that has the focus after a key press; undefined for a key that does not move the focus. */
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

/** Whether both are the same row, or objects whose members are the same. */
export function isSameRow(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(([name, value]) => Object.is(value, (other as Record<string, unknown>)[name]))
  );
}
