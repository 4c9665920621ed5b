import { double, nested, number } from './protobuf-bytes.fixture.ts';

/** A series as Datadog's agent has it. */
export interface DatadogFixture {
  metric: string;
  host?: string;
  device?: string;
  tags?: readonly string[];
  type?: 'gauge' | 'count' | 'rate';
  /** Seconds. */
  interval?: number;
  /** Times in seconds, and values. */
  points: readonly (readonly [time: number, value: number])[];
}

/** The types of version 2, by their numbers. */
const NUMBERS = ['', 'count', 'rate', 'gauge'];

/** The JSON of version 1. */
export function encodeDatadogJson(series: readonly DatadogFixture[]): Buffer {
  const entries = series.map(({ tags = [], type = 'gauge', interval = 15, ...others }) => ({
    ...others,
    tags,
    type,
    interval,
    source_type_name: 'System',
  }));
  return Buffer.from(JSON.stringify({ series: entries }));
}

/** The JSON of version 2. */
export function encodeDatadogJson2(series: readonly DatadogFixture[]): Buffer {
  const entries = series.map(
    ({ metric, host, device, tags = [], type = 'gauge', interval = 15, points }) => ({
      metric,
      resources: [
        ...(host === undefined ? [] : [{ type: 'host', name: host }]),
        ...(device === undefined ? [] : [{ type: 'device', name: device }]),
      ],
      tags,
      type: NUMBERS.indexOf(type),
      interval,
      points: points.map(([timestamp, value]) => ({ timestamp, value })),
      source_type_name: 'System',
    }),
  );
  return Buffer.from(JSON.stringify({ series: entries }));
}

/** The protobuf of version 2. */
export function encodeDatadogProtobuf(series: readonly DatadogFixture[]): Buffer {
  return Buffer.concat(
    series.map(({ metric, host, device, tags = [], type = 'gauge', interval = 15, points }) =>
      nested(
        1,
        ...(host === undefined ? [] : [nested(1, nested(1, 'host'), nested(2, host))]),
        ...(device === undefined ? [] : [nested(1, nested(1, 'device'), nested(2, device))]),
        nested(2, metric),
        ...tags.map((tag) => nested(3, tag)),
        ...points.map(([time, value]) => nested(4, double(1, value), number(2, time))),
        number(5, NUMBERS.indexOf(type)),
        nested(7, 'System'),
        number(8, interval),
      ),
    ),
  );
}
