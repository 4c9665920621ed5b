import type { Series } from '../facts.ts';
import type { Summary } from '../finding.ts';
import { median } from './robust.ts';

/** Summarizes the values of a series in `[from, to)`, ms; the series must not be empty. */
export function summaryOf(series: Series, from: number, to: number): Summary {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of series.values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { median: median(series.values), min, max, count: series.values.length, from, to };
}
