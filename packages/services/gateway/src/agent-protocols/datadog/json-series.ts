import type { DatadogSeries } from './datadog-series.ts';

/** A series of a body in JSON, whose points are as they were sent. */
export interface JsonSeries extends DatadogSeries {
  points: readonly unknown[];
  /** Milliseconds; 0 if unknown. */
  interval: number;
}

/** How a version of the interface writes series in JSON. */
export interface JsonForm {
  /** What is wrong with a series that is an object, or the series. */
  read(entry: Readonly<Record<string, unknown>>): JsonSeries | string;
  /** Time in seconds, and value; null for a value that is none. Undefined if the point is not valid. */
  pointOf(point: unknown): readonly [seconds: number, value: number | null] | undefined;
  /** What a valid point is, for answers. */
  pointRule: string;
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** What both versions have of a series. */
type Common = Pick<JsonSeries, 'metric' | 'tags' | 'unit' | 'points' | 'interval'>;

/** Reads what both versions write in the same way; returns what is wrong with it, if anything is. */
export function readCommon(entry: Readonly<Record<string, unknown>>): Common | string {
  const { points, tags, interval, metric } = entry;
  if (!isText(metric) || metric === '') return 'metric must be a text that is not empty';
  if (!Array.isArray(points)) return 'points must be a list';
  if (tags !== undefined && tags !== null && !(Array.isArray(tags) && tags.every(isText)))
    return 'tags must be a list of texts';
  const unit = optionalText(entry, 'unit');
  if (unit === undefined) return 'unit must be a text';
  return {
    metric,
    tags: (tags as string[] | null | undefined) ?? [],
    unit,
    points,
    interval: typeof interval === 'number' && interval > 0 ? interval * 1_000 : 0,
  };
}

/** The text of a member; empty if it is absent or null, and undefined if it is no text. */
export function optionalText(entry: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const text = entry[name] ?? '';
  return isText(text) ? text : undefined;
}

/** A point of these two; undefined if it is not valid. */
export function jsonPoint(
  seconds: unknown,
  value: unknown,
): readonly [seconds: number, value: number | null] | undefined {
  if (typeof seconds !== 'number' || (typeof value !== 'number' && value !== null)) return undefined;
  return [seconds, value];
}
