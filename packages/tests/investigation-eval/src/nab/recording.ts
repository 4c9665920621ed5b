import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Series } from '@tidewatch/domain/investigation/facts';
import * as z from 'zod';

const Time = z.iso.datetime().transform((text) => Date.parse(text));
const LabelsSchema = z.object({
  series: z.record(
    z.string(),
    z.object({ file: z.string(), metric: z.string(), windows: z.array(z.tuple([Time, Time])) }),
  ),
});
const PayloadSchema = z.object({ timestamp: Time, metrics: z.record(z.string(), z.number()) });

export interface LabelledSeries {
  readonly name: string;
  readonly metric: string;
  readonly series: Series;
  /** The periods that the recording labels as anomalous, `[from, to]` in ms. */
  readonly windows: readonly (readonly [number, number])[];
}

/**
 * Reads metrics of servers with labelled anomalies, two weeks at five-minute intervals (see docs/investigations.md).
 * @returns null if the recording is not available
 */
export function readNab(directory: string): LabelledSeries[] | null {
  const labels = join(directory, 'labels.json');
  if (!existsSync(labels)) return null;
  const { series } = LabelsSchema.parse(JSON.parse(readFileSync(labels, 'utf8')));
  return Object.entries(series).map(([name, { file, metric, windows }]) => {
    const lines = gunzipSync(readFileSync(join(directory, file)))
      .toString()
      .trimEnd()
      .split('\n');
    const payloads = lines
      .map((line) => PayloadSchema.parse(JSON.parse(line)))
      .filter(({ metrics }) => metric in metrics)
      .sort((a, b) => a.timestamp - b.timestamp);
    return {
      name,
      metric,
      windows,
      series: {
        times: Float64Array.from(payloads, ({ timestamp }) => timestamp),
        values: Float64Array.from(payloads, ({ metrics }) => metrics[metric] ?? Number.NaN),
      },
    };
  });
}
