import type { RefusedSeries } from '../points/refused-series.ts';
import { omitValue } from '../points/value-point.ts';
import type { PointDecoder, PointSink, SeriesRef } from '../series/point-sink.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { parseJsonBody } from '../wire/parse-json-body.ts';
import { describeDatadog, MAX_TAGS, TOO_MANY_TAGS } from './datadog-series.ts';
import type { JsonForm, JsonSeries } from './json-series.ts';
import { JSON_FORM_1 } from './json-series-1.ts';
import { JSON_FORM_2 } from './json-series-2.ts';

/** How many points are read before other requests are served. */
const TURN = 1_000;
/** Begins the hashes of this encoding, so that none is that of another one's bytes. */
const PROTOCOL_CODE = 5;

/** Finds or describes the series; undefined if it is refused. */
function seriesOf(sink: PointSink, entry: JsonSeries): SeriesRef | undefined {
  const { hash } = sink;
  if (entry.tags.length > MAX_TAGS) return refuse(sink, entry, TOO_MANY_TAGS);
  hash.begin();
  hash.number(PROTOCOL_CODE);
  for (const text of [entry.metric, entry.host, entry.device, entry.type, entry.unit, ...entry.tags])
    hash.text(text);
  const { high, low } = hash;
  const found = sink.find(high, low);
  if (found !== undefined) return found;
  const described = describeDatadog(entry);
  return 'reason' in described ? refuse(sink, entry, described) : sink.add(high, low, described);
}

function refuse(sink: PointSink, { points }: JsonSeries, { reason, example }: RefusedSeries): undefined {
  sink.reject(reason, Math.max(1, points.length), example);
}

function takePoint(
  sink: PointSink,
  series: SeriesRef,
  { type, interval }: JsonSeries,
  [seconds, value]: readonly [number, number | null],
): void {
  if (value === null) sink.omit('not_a_number', 1);
  else if (!Number.isFinite(value)) omitValue(sink, value);
  else {
    const time = Math.round(seconds * 1_000);
    sink.point(series, time, value, type === 'delta' && interval > 0 ? time - interval : 0);
  }
}

/** What is wrong with a series of the body, or the series. */
function readEntry(sent: unknown, form: JsonForm): JsonSeries | string {
  if (sent === null || typeof sent !== 'object') return 'must be an object';
  return form.read(sent as Record<string, unknown>);
}

function* decode(bytes: Buffer, sink: PointSink, form: JsonForm): Generator<undefined, void, undefined> {
  const body = parseJsonBody(bytes) as { series?: unknown } | null;
  const list = body?.series;
  if (!Array.isArray(list)) throw new MalformedBodyError('The body must be an object with the list series.');
  let turn = 0;
  for (const [index, sent] of list.entries()) {
    const entry = readEntry(sent, form);
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
        for (const sentPoint of entry.points) {
          const point = form.pointOf(sentPoint);
          if (point === undefined) sink.reject('invalid_value', 1, `series ${index + 1}: ${form.pointRule}`);
          else takePoint(sink, series, entry, point);
          turn += 1;
          if (turn % TURN === 0) yield;
        }
    }
    if (turn % TURN === 0) yield;
  }
}

/** Decodes the JSON of Datadog's `/api/v1/series`. A faulty series or point is refused alone. */
export const decodeDatadogJson1: PointDecoder = (bytes, sink) => decode(bytes, sink, JSON_FORM_1);

/** Decodes the JSON of Datadog's `/api/v2/series`. A faulty series or point is refused alone. */
export const decodeDatadogJson2: PointDecoder = (bytes, sink) => decode(bytes, sink, JSON_FORM_2);
