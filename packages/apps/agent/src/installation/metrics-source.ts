import type { MetricReading } from '@tidewatch/api-client/prometheus-text';

/** Where the metrics of a Tidewatch process come from. */
export interface MetricsSource {
  /** What it is called in the log. */
  name: string;
  /** Rejects where there is no answer in time, or one that is none of Tidewatch's. */
  read(): Promise<MetricReading[]>;
}

/** Throws where readings cannot be those of a Tidewatch process. */
export function expectOurs(readings: MetricReading[]): MetricReading[] {
  if (readings.some(({ name }) => name.startsWith('tidewatch_'))) return readings;
  throw new Error('it shows no metrics of Tidewatch');
}
