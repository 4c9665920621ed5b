/** The place of the point whose threshold is nearest to a value; the first of equal ones. */
export function nearestPoint(points: readonly { threshold: number }[], value: number): number {
  let nearest = 0;
  for (const [place, { threshold }] of points.entries())
    if (Math.abs(threshold - value) < Math.abs((points[nearest]?.threshold ?? 0) - value)) nearest = place;
  return nearest;
}

/** The place that a key leads to from a place; undefined for keys without a meaning. */
export function pointAfterKey(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(place + 1, count - 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(place - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
