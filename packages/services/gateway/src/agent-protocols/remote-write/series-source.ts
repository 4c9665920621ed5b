import { exampleOf, labelList, MAX_LABELS, refusalOf } from '../points/label-list.ts';
import type { RefusedSeries } from '../points/refused-series.ts';
import type { SeriesRef } from '../series/point-sink.ts';
import type { SentSeries, SeriesType } from '../series/sent-series.ts';

/** How a series with more than `MAX_LABELS` is refused. */
export const TOO_MANY_LABELS: RefusedSeries = {
  reason: 'invalid_labels',
  example: `a series with over ${MAX_LABELS} labels`,
};

/** The series whose points are being read. */
export interface SeriesSource {
  /**
   * What the sink knows the series by: the one of its samples, or the one of its native histograms, which are counters of their
   * own. Undefined if it is refused; `refusal` says why.
   */
  series(isHistogram: boolean): SeriesRef | undefined;
  readonly refusal: RefusedSeries;
  /** What names the series in an answer. */
  readonly example: string;
}

/** A series by the labels of Prometheus, of which one is its name; or why it is refused. `typeOf` says the type by the name. */
export function describeSeries(
  texts: readonly string[],
  typeOf: (name: string) => SeriesType,
  unit: string,
): SentSeries | RefusedSeries {
  const labels = labelList(texts);
  if (labels === undefined)
    return { reason: 'invalid_labels', example: refusalOf('invalid_labels', exampleOf('', texts)) };
  const at = labels.findIndex((text, index) => index % 2 === 0 && text === '__name__');
  const [, name = ''] = at === -1 ? [] : labels.splice(at, 2);
  if (name === '')
    return { reason: 'invalid_name', example: refusalOf('invalid_name', exampleOf('', texts)) };
  return { protocol: 'remote_write', name, labels, resource: [], type: typeOf(name), unit };
}
