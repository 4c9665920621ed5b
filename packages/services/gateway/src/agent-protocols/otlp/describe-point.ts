import { exampleOf, refusalOf } from '../points/label-list.ts';
import type { RefusedSeries } from '../points/refused-series.ts';
import type { SentSeries, SeriesType } from '../series/sent-series.ts';
import type { SeriesPart } from './point-emitter.ts';

/** What both encodings say of the series of a point. Lists are sorted; one that is undefined has names that are not allowed. */
export interface PointDescription {
  name: string;
  unit: string;
  type: SeriesType;
  labels: readonly string[] | undefined;
  resource: readonly string[] | undefined;
}

/** A series of a point, or why it is refused. */
export function describePoint(
  { name, unit, type, labels, resource }: PointDescription,
  part: SeriesPart,
  quantile = 0,
): SentSeries | RefusedSeries {
  if (labels === undefined || resource === undefined)
    return { reason: 'invalid_labels', example: refusalOf('invalid_labels', exampleOf(name, [])) };
  const series: SentSeries = { protocol: 'otlp', name, labels, resource, type, unit };
  switch (part) {
    case 'whole':
      return series;
    case 'count':
      return { ...series, name: `${name}_count`, type: 'counter', unit: '' };
    case 'sum':
      return { ...series, name: `${name}_sum`, type: 'counter' };
    case 'quantile': {
      const at = labels.findIndex((text, index) => index % 2 === 0 && text >= 'quantile');
      const before = at === -1 ? labels.length : at;
      if (labels[before] === 'quantile')
        return { reason: 'invalid_labels', example: refusalOf('invalid_labels', exampleOf(name, labels)) };
      const all = [...labels.slice(0, before), 'quantile', String(quantile), ...labels.slice(before)];
      return { ...series, labels: all, type: 'gauge' };
    }
  }
}
