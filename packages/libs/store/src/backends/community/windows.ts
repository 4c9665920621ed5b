/** A range `[from, to)` of whole buckets, ms. */
export interface Window {
  from: number;
  to: number;
}

/**
 * Covers buckets (starts in ms, in any order) by at most `maxWindows` windows, split at the widest gaps, since even a short
 * refresh costs a few transactions. Windows longer than `maxMs`, a multiple of `width`, are cut.
 */
export function windowsOf(
  buckets: Iterable<number>,
  width: number,
  maxWindows: number,
  maxMs: number,
): Window[] {
  const sorted = [...new Set(buckets)].sort((a, b) => a - b);
  const gaps = sorted
    .slice(1)
    .map((bucket, index) => ({ at: index + 1, gap: bucket - (sorted[index] as number) }));
  const cuts = gaps
    .filter(({ gap }) => gap > width)
    .sort((a, b) => b.gap - a.gap)
    .slice(0, maxWindows - 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  const windows: Window[] = [];
  let begin = 0;
  for (const end of [...cuts, sorted.length]) {
    if (end === begin) continue;
    windows.push(...cut({ from: sorted[begin] as number, to: (sorted[end - 1] as number) + width }, maxMs));
    begin = end;
  }
  return windows;
}

/** Cuts a window into parts of at most `maxMs`. */
export function cut({ from, to }: Window, maxMs: number): Window[] {
  const parts: Window[] = [];
  for (let at = from; at < to; at += maxMs) parts.push({ from: at, to: Math.min(to, at + maxMs) });
  return parts;
}
