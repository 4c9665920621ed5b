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
    windows.push(...cut({ from: sorted[begin] as number, to: (sorted[end - 1] as number) + width }, longest));
    begin = end;
  }
  return windows;
}

/** A window in parts of at most `longest` ms. */
export function cut({ from, to }: Window, longest: number): Window[] {
  const parts: Window[] = [];
  for (let at = from; at < to; at += longest) parts.push({ from: at, to: Math.min(to, at + longest) });
  return parts;
}
