/** One value on a page of metrics in Prometheus' text format. */
export interface MetricReading {
  name: string;
  /** The text between the braces, such as `service="writer"`. */
  labels: string;
  value: number;
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Reads the values from a page of metrics in Prometheus' text format; leaves out values that are not numbers. */
export function readMetrics(page: string): MetricReading[] {
  return page.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    return name !== '' && Number.isFinite(Number(value)) ? [{ name, labels, value: Number(value) }] : [];
  });
}

/** Returns the maximum of a metric over all labels; undefined if the metric is absent. */
export function greatest(readings: readonly MetricReading[], name: string): number | undefined {
  const values = valuesOf(readings, name);
  return values.length === 0 ? undefined : values.reduce((most, value) => Math.max(most, value));
}

/** Returns the sum of a metric over all labels; undefined if the metric is absent. */
export function total(readings: readonly MetricReading[], name: string): number | undefined {
  const values = valuesOf(readings, name);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value);
}

function valuesOf(readings: readonly MetricReading[], name: string): number[] {
  return readings.filter((reading) => reading.name === name).map(({ value }) => value);
}
