/**
 * Change points of the mean by PELT: the division into segments with the least sum of squared residuals plus `penalty`
 * for each segment, found exactly, with candidates pruned that can never be best again (Killick, Fearnhead and Eckley,
 * "Optimal detection of changepoints with a linear computational cost", JASA 2012).
 *
 * @param penalty in squared units of the values, such as 2 · ln(n) · variance of the noise (see `noiseOf`)
 * @returns the index at which each segment begins, ascending, the first being 0
 */
export function pelt(values: ArrayLike<number>, penalty: number): number[] {
  const n = values.length;
  if (n === 0) return [];
  const sums = new Float64Array(n + 1);
  const squares = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    sums[i + 1] = (sums[i] as number) + value;
    squares[i + 1] = (squares[i] as number) + value * value;
  }
  const cost = (from: number, to: number) => {
    const sum = (sums[to] as number) - (sums[from] as number);
    return (squares[to] as number) - (squares[from] as number) - (sum * sum) / (to - from);
  };
  const best = new Float64Array(n + 1);
  best[0] = -penalty;
  const begins = new Int32Array(n + 1);
  let candidates: number[] = [0];
  for (let end = 1; end <= n; end++) {
    let least = Number.POSITIVE_INFINITY;
    let begin = 0;
    const totals: number[] = [];
    for (const candidate of candidates) {
      const total = (best[candidate] as number) + cost(candidate, end);
      totals.push(total);
      if (total < least) {
        least = total;
        begin = candidate;
      }
    }
    best[end] = least + penalty;
    begins[end] = begin;
    candidates = candidates.filter((_, at) => (totals[at] as number) <= (best[end] as number));
    candidates.push(end);
  }
  const starts: number[] = [];
  for (let end = n; end > 0; end = begins[end] as number) starts.push(begins[end] as number);
  return starts.reverse();
}
