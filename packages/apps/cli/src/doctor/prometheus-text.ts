export interface Reading {
  name: string;
  labels: string;
  value: number;
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** The values of a page of metrics in Prometheus' text format; what is no number is left out. */
export function readMetrics(page: string): Reading[] {
  return page.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    return name !== '' && Number.isFinite(Number(value)) ? [{ name, labels, value: Number(value) }] : [];
  });
}

/** The greatest value of a metric, undefined where nothing shows it. */
export function greatest(readings: readonly Reading[], name: string): number | undefined {
  const values = readings.filter((reading) => reading.name === name).map(({ value }) => value);
  return values.length === 0 ? undefined : Math.max(...values);
}
