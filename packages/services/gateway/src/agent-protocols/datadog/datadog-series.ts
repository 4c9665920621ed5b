import { exampleOf, labelList, MAX_LABELS, refusalOf } from '../points/label-list.ts';
import type { RefusedSeries } from '../points/refused-series.ts';
import type { SentSeries, SeriesType } from '../series/sent-series.ts';

/** A series as either version of the interface names it. */
export interface DatadogSeries {
  metric: string;
  /** Empty where there is none. */
  host: string;
  device: string;
  tags: readonly string[];
  type: SeriesType;
  unit: string;
}

/** The max number of tags of a series; one with more is refused before they are read. */
export const MAX_TAGS = MAX_LABELS;

/** How a series with more than `MAX_TAGS` is refused. */
export const TOO_MANY_TAGS: RefusedSeries = {
  reason: 'invalid_labels',
  example: `a series with over ${MAX_TAGS} tags`,
};

/** The label of tags without a colon. */
const TAG = 'tag';

/**
 * Names and values of tags by turns, sorted by name. What stands before the first colon is the name. A name may be repeated:
 * its values are joined by commas then, in order.
 */
export function labelsOfTags(tags: readonly string[]): Map<string, string> {
  const values = new Map<string, Set<string>>();
  for (const tag of tags) {
    const colon = tag.indexOf(':');
    const name = colon > 0 ? tag.slice(0, colon) : TAG;
    const value = tag.slice(colon + 1);
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([value]));
    else known.add(value);
  }
  return new Map([...values].map(([name, some]) => [name, [...some].sort().join(',')]));
}

/** Describes a series of at most `MAX_TAGS`, whose host and device are labels. */
export function describeDatadog(series: DatadogSeries): SentSeries | RefusedSeries {
  const { metric, host, device, tags, type, unit } = series;
  const labels = labelsOfTags(tags);
  if (host !== '') labels.set('host', host);
  if (device !== '') labels.set('device', device);
  const texts = [...labels].flat();
  const list = labelList(texts);
  if (metric === '' || !metric.isWellFormed())
    return { reason: 'invalid_name', example: refusalOf('invalid_name', exampleOf(metric, texts)) };
  if (list === undefined)
    return { reason: 'invalid_labels', example: refusalOf('invalid_labels', exampleOf(metric, texts)) };
  return { protocol: 'datadog', name: metric, labels: list, resource: [], type, unit };
}
