/** Sums the samples of a metric over all of its labels in the Prometheus text format; 0 if there are none. */
export function sumOfMetric(text: string, metric: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith(metric)) continue;
    const rest = line.slice(metric.length);
    const labels = rest.startsWith('{') ? rest.slice(rest.lastIndexOf('}') + 1) : rest;
    if (/^\s/.test(labels)) sum += Number(labels.trim().split(/\s+/, 1)[0]);
  }
  return sum;
}
