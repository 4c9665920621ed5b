const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Prints a duration in its two largest units: `3d 4h`, `12m 5s`, `0s`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1_000));
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count}${unit}`);
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break;
  }
  return parts.join(' ') || '0s';
}

/** Prints how long ago a time was; `-` for no time. */
export function formatAge(time: string | null | undefined, now: number): string {
  return time ? formatDuration(now - Date.parse(time)) : '-';
}
