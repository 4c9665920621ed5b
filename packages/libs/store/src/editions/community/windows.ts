/** `[from, to)` in ms, whole buckets. */
export interface Window {
  from: number;
  to: number;
}

/**
 * Windows that cover these buckets (starts, ms, in any order), at most `most` of them: cut where the gaps are widest, for
 * each costs a few transactions however short it is. None is longer than `longest` ms, a multiple of `width`.
 */
export function windowsOf(buckets: Iterable<number>, width: number, most: number, longest: number): Window[] {
  const sorted = [...new Set(buckets)].sort((a, b) => a - b);
  const gaps = sorted
    .slice(1)
    .map((bucket, index) => ({ at: index + 1, gap: bucket - (sorted[index] as number) }));
  const cuts = gaps
    .filter(({ gap }) => gap > width)
    .sort((a, b) => b.gap - a.gap)
    .slice(0, most - 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  const windows: Window[] = [];
  let begin = 0;
  for (const end of [...cuts, sorted.length]) {
    if (end === begin) continue;
    const to = (sorted[end - 1] as number) + width;
    for (let from = sorted[begin] as number; from < to; from += longest)
      windows.push({ from, to: Math.min(to, from + longest) });
    begin = end;
  }
  return windows;
}
