/** A series as Datadog's agent sends it. */
export interface AgentSeries {
  metric: string;
  host: string;
  device?: string;
  tags: readonly string[];
  /** As the first version names it. */
  type: 'gauge' | 'count' | 'rate';
  /** Time in seconds, and value. */
  points: readonly (readonly [number, number])[];
}

const INTERVAL = 15;
const TYPES = { count: 1, rate: 2, gauge: 3 } as const;

/** The JSON of the first version. */
export function jsonBody(series: readonly AgentSeries[]): string {
  const entries = series.map((each) => ({ ...each, interval: INTERVAL, source_type_name: 'System' }));
  return JSON.stringify({ series: entries });
}

/** The JSON of the second version. */
export function jsonBody2(series: readonly AgentSeries[]): string {
  const entries = series.map(({ metric, host, device, tags, type, points }) => ({
    metric,
    resources: [
      { type: 'host', name: host },
      ...(device === undefined ? [] : [{ type: 'device', name: device }]),
    ],
    tags,
    type: TYPES[type],
    interval: INTERVAL,
    points: points.map(([timestamp, value]) => ({ timestamp, value })),
  }));
  return JSON.stringify({ series: entries });
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

const integer = (field: number, value: number) => Buffer.from([field * 8, ...varint(value)]);

function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(9, field * 8 + 1);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function nested(field: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([field * 8 + 2, ...varint(content.length)]), content]);
}

const text = (field: number, value: string) => nested(field, Buffer.from(value));

/** The protobuf of the second version, the message `MetricPayload`. */
export function protobufBody(series: readonly AgentSeries[]): Buffer {
  return Buffer.concat(
    series.map(({ metric, host, device, tags, type, points }) =>
      nested(
        1,
        nested(1, text(1, 'host'), text(2, host)),
        ...(device === undefined ? [] : [nested(1, text(1, 'device'), text(2, device))]),
        text(2, metric),
        ...tags.map((tag) => text(3, tag)),
        ...points.map(([time, value]) => nested(4, double(1, value), integer(2, time))),
        integer(5, TYPES[type]),
        text(7, 'System'),
        integer(8, INTERVAL),
      ),
    ),
  );
}
