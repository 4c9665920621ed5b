import { nearestIndex } from './points.ts';
import { type Range, shifted, zoomed } from './range.ts';

/** Where a key moves the cursor of a chart: a time of one of its points; undefined where the key does not move it. */
export function cursorAfterKey(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  points: readonly { t: number }[],
  at: number | null,
): number | undefined {
  const last = points.length - 1;
  if (last < 0) return undefined;
  const stride = shiftKey ? 10 : 1;
  // Without a cursor the first key goes to the end, where the newest values are.
  const index = at === null ? undefined : nearestIndex(points, at);
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: index === undefined ? last : index - stride,
    ArrowRight: index === undefined ? last : index + stride,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? undefined : points[Math.min(Math.max(next, 0), last)]?.t;
}

const ZOOM = 2;

/** The range after a key that zooms or shifts; undefined for other keys. */
export function rangeAfterKey(key: string, range: Range): Range | undefined {
  switch (key) {
    case '+':
    case '=':
      return zoomed(range, 1 / ZOOM);
    case '-':
      return zoomed(range, ZOOM);
    case '[':
      return shifted(range, -0.5);
    case ']':
      return shifted(range, 0.5);
    default:
      return undefined;
  }
}
