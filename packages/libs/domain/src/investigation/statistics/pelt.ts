/**
 * Finds change points of the mean by PELT: the segments with the least sum of squared residuals plus `penalty` per segment
 * (Killick, Fearnhead and Eckley, JASA 2012).
 * @param penalty in squared units of the values, such as 2 · ln(n) · variance of the noise (see `noiseOf`)
 * @returns the index at which each segment begins, ascending, the first being 0
 */
export function pelt(values: ArrayLike<number>, penalty: number): number[] {
  const n = values.length;
  if (n === 0) return [];
  const sums = new Float64Array(n + 1);
  const squares = new Float64Array(n + 1);
  // Subtracts the first value, since sums of squares of large numbers lose the digits of their differences.
  const origin = values[0] as number;
  for (let i = 0; i < n; i++) {
    const value = (values[i] as number) - origin;
    sums[i + 1] = (sums[i] as number) + value;
    squares[i + 1] = (squares[i] as number) + value * value;
  }
  const best = new Float64Array(n + 1);
  best[0] = -penalty;
  const begins = new Int32Array(n + 1);
  const candidates = new Int32Array(n + 1);
  const totals = new Float64Array(n + 1);
  let count = 1;
  for (let end = 1; end <= n; end++) {
    const sumTo = sums[end] as number;
    const squaresTo = squares[end] as number;
    let least = Number.POSITIVE_INFINITY;
    let begin = 0;
    for (let at = 0; at < count; at++) {
      const candidate = candidates[at] as number;
      const sum = sumTo - (sums[candidate] as number);
      const cost = squaresTo - (squares[candidate] as number) - (sum * sum) / (end - candidate);
      const total = (best[candidate] as number) + cost;
      totals[at] = total;
      if (total < least) {
        least = total;
        begin = candidate;
      }
    }
    best[end] = least + penalty;
    begins[end] = begin;
    let kept = 0;
    for (let at = 0; at < count; at++)
      if ((totals[at] as number) <= least + penalty) candidates[kept++] = candidates[at] as number;
    candidates[kept++] = end;
    count = kept;
  }
  const starts: number[] = [];
  for (let end = n; end > 0; end = begins[end] as number) starts.push(begins[end] as number);
  return starts.reverse();
}
