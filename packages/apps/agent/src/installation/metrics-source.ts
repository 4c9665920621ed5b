import type { MetricReading } from '@tidewatch/api-client/prometheus-text';

/** Reads the metrics of one Tidewatch process. */
export interface MetricsSource {
  /** The name of the source in log lines. */
  name: string;
  /** Rejects where the process does not answer in time, or another program answers. */
  read(): Promise<MetricReading[]>;
}

/** Throws where the readings are those of another program. */
export function requireTidewatchMetrics(readings: MetricReading[]): MetricReading[] {
  if (readings.some(({ name }) => name.startsWith('tidewatch_'))) return readings;
  throw new Error('the answer contains no metrics of Tidewatch');
}
