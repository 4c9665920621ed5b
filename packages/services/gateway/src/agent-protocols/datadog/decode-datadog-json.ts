import { omitValue } from '../points/value-point.ts';
import type { PointSink, SeriesRef } from '../series/point-sink.ts';
import type { SeriesType } from '../series/sent-series.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { parseJsonBody } from '../wire/parse-json-body.ts';
import { type DatadogSeries, describeDatadog } from './datadog-series.ts';

/** How many points are read before other requests are served. */
const TURN = 1_000;
/** Begins the hashes of this protocol, so that none is that of another one's bytes. */
const PROTOCOL_CODE = 5;

/** A rate was divided by its interval already. */
const TYPES: ReadonlyMap<string, SeriesType> = new Map([
  ['gauge', 'gauge'],
  ['rate', 'gauge'],
  ['count', 'delta'],
]);

interface SentEntry extends DatadogSeries {
  points: unknown[];
  /** Milliseconds; 0 if unknown. */
  interval: number;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What is wrong with a series of the body, or the series. */
function readEntry(sent: unknown): SentEntry | string {
  if (sent === null || typeof sent !== 'object') return 'must be an object';
  const entry = sent as Record<string, unknown>;
  const { points, tags, interval, type } = entry;
  if (!isText(entry['metric']) || entry['metric'] === '') return 'metric must be a text that is not empty';
  if (!Array.isArray(points)) return 'points must be a list';
  if (tags !== undefined && tags !== null && !(Array.isArray(tags) && tags.every(isText)))
    return 'tags must be a list of texts';
  for (const name of ['host', 'device', 'unit'])
    if (entry[name] !== undefined && entry[name] !== null && !isText(entry[name]))
      return `${name} must be a text`;
  const kind = TYPES.get(isText(type) && type !== '' ? type : 'gauge');
  if (kind === undefined || (type !== undefined && type !== null && !isText(type)))
    return 'type must be gauge, rate or count';
  return {
    metric: entry['metric'],
    host: (entry['host'] as string | null | undefined) ?? '',
    device: (entry['device'] as string | null | undefined) ?? '',
    tags: (tags as string[] | null | undefined) ?? [],
    unit: (entry['unit'] as string | null | undefined) ?? '',
    type: kind,
    points,
    interval: typeof interval === 'number' && interval > 0 ? interval * 1_000 : 0,
  };
}

/** Finds or describes the series; undefined if it is refused. */
function seriesOf(sink: PointSink, entry: SentEntry): SeriesRef | undefined {
  const { hash } = sink;
  hash.begin();
  hash.number(PROTOCOL_CODE);
  for (const text of [entry.metric, entry.host, entry.device, entry.type, entry.unit, ...entry.tags])
    hash.text(text);
  const { high, low } = hash;
  const found = sink.find(high, low);
  if (found !== undefined) return found;
  const described = describeDatadog(entry);
  if ('reason' in described) {
    sink.reject(described.reason, Math.max(1, entry.points.length), described.example);
    return undefined;
  }
  return sink.add(high, low, described);
}

function takePoint(
  sink: PointSink,
  series: SeriesRef,
  entry: SentEntry,
  point: unknown,
  index: number,
): void {
  const [seconds, value] = Array.isArray(point) && point.length === 2 ? point : [];
  if (typeof seconds !== 'number' || (typeof value !== 'number' && value !== null)) {
    sink.reject(
      'invalid_value',
      1,
      `series ${index}: points must be lists of a time in seconds and a number`,
    );
    return;
  }
  if (value === null) sink.omit('not_a_number', 1);
  else if (!Number.isFinite(value)) omitValue(sink, value);
  else {
    const time = Math.round(seconds * 1_000);
    sink.point(series, time, value, entry.type === 'delta' && entry.interval > 0 ? time - entry.interval : 0);
  }
}

/** Decodes the JSON of Datadog's `/api/v1/series`. A faulty series or point is refused alone. */
export function* decodeDatadogJson(bytes: Buffer, sink: PointSink): Generator<undefined, void, undefined> {
  const body = parseJsonBody(bytes) as { series?: unknown } | null;
  const list = body?.series;
  if (!Array.isArray(list)) throw new MalformedBodyError('The body must be an object with the list series.');
  let turn = 0;
  for (const [index, sent] of list.entries()) {
    const entry = readEntry(sent);
    turn += 1;
    if (typeof entry === 'string') {
      const points = (sent as { points?: unknown } | null)?.points;
      sink.reject(
        'invalid_value',
        Array.isArray(points) ? Math.max(1, points.length) : 1,
        `series ${index + 1}: ${entry}`,
      );
    } else {
      const series = seriesOf(sink, entry);
      if (series !== undefined)
        for (const point of entry.points) {
          takePoint(sink, series, entry, point, index + 1);
          turn += 1;
          if (turn % TURN === 0) yield;
        }
    }
    if (turn % TURN === 0) yield;
  }
}
