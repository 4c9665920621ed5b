/**
 * The value below which the share `quantile` (0 to 1) of what was counted lies, as if values were spread evenly within a bucket.
 * `bounds` are the upper bounds of all buckets but the last; `counts` has one more entry. What lies beyond the last bound counts as that
 * bound, and below the first as between it and 0 where it is positive. Undefined where nothing was counted.
 */
export function percentileOf(
  quantile: number,
  bounds: readonly number[],
  counts: readonly number[],
): number | undefined {
  const total = counts.reduce((all, count) => all + count, 0);
  if (total <= 0) return undefined;
  const wanted = quantile * total;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (below + count < wanted || count === 0) {
      below += count;
      continue;
    }
    const upper = bounds[index];
    if (upper === undefined) return bounds.at(-1);
    const lower = bounds[index - 1] ?? Math.min(0, upper);
    return lower + (upper - lower) * ((wanted - below) / count);
  }
  return bounds.at(-1);
}
