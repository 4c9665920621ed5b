import type { HistogramPoint } from '../../series/sent-series.ts';

/** What is stored of a histogram: how often something happened, its mean, and percentiles of the time since the last point. */
export const FIGURES = ['count_per_second', 'mean', 'p50', 'p95', 'p99'] as const;
type Figure = (typeof FIGURES)[number];
export type Figures = Partial<Record<Figure, number>>;

/** The state of a cumulative histogram: its last published point and the figures of that. */
export interface HistogramState {
  time: number;
  point: HistogramPoint | null;
  figures: Figures;
}
