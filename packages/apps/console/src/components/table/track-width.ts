/** What surrounds the cells of a row: the gap between two columns, and the row's own padding on both sides, px. */
const GAP = 12;
const PADDING = 24;

/** The width that columns need at least, px: that of fixed tracks, and the minimum of those that grow. */
export function minWidthOf(tracks: readonly string[]): number {
  const widths = tracks.map((track) => Number(/^(?:minmax\()?(\d+)px/.exec(track)?.[1] ?? 0));
  return widths.reduce((sum, width) => sum + width, PADDING + GAP * Math.max(tracks.length - 1, 0));
}
