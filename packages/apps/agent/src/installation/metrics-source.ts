import type { MetricReading } from '@tidewatch/api-client/prometheus-text';

/** Reads the metrics of one Tidewatch process. */
export interface MetricsSource {
  /** The name of the source in log lines. */
  name: string;
  /** Reads the metrics. Rejects if the process does not answer in time, or if another program answers. */
  read(): Promise<MetricReading[]>;
}

/** Throws if the metrics are not those of a Tidewatch process. */
export function requireTidewatchMetrics(readings: MetricReading[]): MetricReading[] {
  if (readings.some(({ name }) => name.startsWith('tidewatch_'))) return readings;
  throw new Error('the response contains no metrics of Tidewatch');
}
