import { isSameList } from '../values/lists.ts';
import { partSubject } from './part-subject.ts';

/**
 * Which parts payloads of a host have, and their metrics: the lists `kinds`, `names` and `labels` are parallel, one entry for each
 * part (null labels are those that the payload did not name). `metrics` and `keys` have one for each number, in the
 * order of the payload. Payloads with the same parts share one shape, so that its lists are compared by identity.
 */
export interface PartShape {
  kinds: readonly string[];
  names: readonly string[];
  labels: readonly (Record<string, string> | null)[];
  /** The metric of each number. */
  metrics: readonly string[];
  /** The number of `metrics` up to the end of each part. */
  ends: readonly number[];
  /** The part and the metric of each number: see `seriesKey`. */
  keys: readonly string[];
}

/** The parts of one payload: `values` is parallel to the keys of the shape. */
export interface PartValues {
  shape: PartShape;
  values: readonly number[];
}

/** What a metric of a part is known by among all parts of its host. No text of a payload has this character. */
const BETWEEN = '\0';
export function seriesKey(subject: string, metric: string): string {
  return `${subject}${BETWEEN}${metric}`;
}

/** The part and the metric of a key of `seriesKey`. */
export function splitSeriesKey(key: string): { subject: string; metric: string } {
  const between = key.indexOf(BETWEEN);
  return { subject: key.slice(0, between), metric: key.slice(between + 1) };
}

/** What a shape is made of. */
export type PartLists = Omit<PartShape, 'keys'>;

export function shapeOf(lists: PartLists): PartShape {
  const keys: string[] = [];
  for (const [index, kind] of lists.kinds.entries()) {
    const subject = partSubject(kind, lists.names[index] as string);
    for (let at = lists.ends[index - 1] ?? 0; at < (lists.ends[index] as number); at += 1)
      keys.push(seriesKey(subject, lists.metrics[at] as string));
  }
  return { ...lists, keys };
}

/** Whether two shapes have the same parts with the same labels and metrics, in the same order. */
export function isSameShape(one: PartLists, other: PartLists): boolean {
  if (one === other) return true;
  return (
    isSameLayout(one, other) &&
    one.labels.every((labels, index) => hasSameLabels(labels, other.labels[index] ?? null))
  );
}

/** Whether two shapes have the same parts with the same metrics, in the same order, whatever their labels. */
export function isSameLayout(one: Omit<PartLists, 'labels'>, other: Omit<PartLists, 'labels'>): boolean {
  return (
    isSameList(one.metrics, other.metrics) &&
    isSameList(one.names, other.names) &&
    isSameList(one.kinds, other.kinds) &&
    (one.ends === other.ends || one.ends.every((end, index) => end === other.ends[index]))
  );
}

export function hasSameLabels(
  one: Readonly<Record<string, string>> | null,
  other: Readonly<Record<string, string>> | null,
): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The parts without the numbers that `isLeftOut` names by the position of their part and their metric. */
export function withoutMetrics(
  { shape, values }: PartValues,
  isLeftOut: (index: number, metric: string) => boolean,
): PartValues {
  const kept: { metrics: string[]; ends: number[]; values: number[] } = { metrics: [], ends: [], values: [] };
  for (const [index, end] of shape.ends.entries()) {
    for (let at = shape.ends[index - 1] ?? 0; at < end; at += 1) {
      const metric = shape.metrics[at] as string;
      if (isLeftOut(index, metric)) continue;
      kept.metrics.push(metric);
      kept.values.push(values[at] as number);
    }
    kept.ends.push(kept.metrics.length);
  }
  const { kinds, names, labels } = shape;
  return {
    shape: shapeOf({ kinds, names, labels, metrics: kept.metrics, ends: kept.ends }),
    values: kept.values,
  };
}
