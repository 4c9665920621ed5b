import protobuf, { type Type } from 'protobufjs';
import { otlpRequest } from './otlp.fixture.ts';

/** How many points a decoder may take, refuse or leave out of a body. */
export interface PointCount {
  least: number;
  most: number;
}

/**
 * Counts the points of a body by another reader than the decoder's. Null where that reader finds the body malformed, or where
 * what it reads is not all of the body: then the two may differ in what they make of repeated or unknown members.
 */
export type PointCounter = (body: Buffer) => PointCount | null;

const exactly = (points: number): PointCount => ({ least: points, most: points });

/** Samples, histograms and exemplars, by protobufjs. */
export function inRemoteWrite(type: Type): PointCounter {
  return (body) => {
    const message = decoded(type, body);
    if (message === null) return null;
    const { timeseries } = type.toObject(message, { defaults: true });
    let total = 0;
    for (const { samples, histograms, exemplars } of timeseries)
      total += samples.length + histograms.length + exemplars.length;
    return exactly(total);
  };
}

interface OtlpPoint {
  exemplars?: readonly unknown[];
  quantileValues?: readonly unknown[];
}

/** The members of a metric that have points. */
const OTLP_DATA = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;

type OtlpMetric = Partial<Record<(typeof OTLP_DATA)[number], { dataPoints?: readonly OtlpPoint[] }>>;

interface OtlpBody {
  resourceMetrics?: readonly { scopeMetrics?: readonly { metrics?: readonly OtlpMetric[] }[] }[];
}

/** Points of OTLP with their exemplars, by protobufjs. */
export const inOtlpProtobuf: PointCounter = (body) => {
  const message = decoded(otlpRequest, body);
  if (message === null || !isWhole(otlpRequest, message, body)) return null;
  return pointsOfOtlp(otlpRequest.toObject(message, { json: true, longs: String }) as OtlpBody);
};

/** The same by JSON.parse. */
export const inOtlpJson: PointCounter = (body) => {
  const parsed = parsedWhole(body);
  return parsed === null ? null : pointsOfOtlp(parsed as OtlpBody);
};

/** A summary becomes its count, its sum and its quantiles, or is refused as one point. */
function pointsOfOtlp({ resourceMetrics = [] }: OtlpBody): PointCount | null {
  let least = 0;
  let most = 0;
  for (const { scopeMetrics = [] } of resourceMetrics)
    for (const metric of scopeMetrics.flatMap(({ metrics = [] }) => metrics)) {
      const data = OTLP_DATA.filter((name) => metric[name] !== undefined);
      if (data.length > 1) return null;
      const isSummary = metric.summary !== undefined;
      for (const { exemplars = [], quantileValues = [] } of data.flatMap(
        (name) => metric[name]?.dataPoints ?? [],
      )) {
        least += 1 + exemplars.length;
        most += isSummary ? 2 + quantileValues.length : 1 + exemplars.length;
      }
    }
  return { least, most };
}

const DATADOG = protobuf
  .parse(`
syntax = "proto3";
message Resource { string type = 1; string name = 2; }
message Point { double value = 1; int64 timestamp = 2; }
message Series {
  repeated Resource resources = 1;
  string metric = 2;
  repeated string tags = 3;
  repeated Point points = 4;
  int32 type = 5;
  string unit = 6;
  string source_type_name = 7;
  int64 interval = 8;
}
message MetricPayload { repeated Series series = 1; }
`)
  .root.lookupType('MetricPayload');

/** Points of series of Datadog's agent, by protobufjs. */
export const inDatadogProtobuf: PointCounter = (body) => {
  const message = decoded(DATADOG, body);
  if (message === null || !isWhole(DATADOG, message, body)) return null;
  return pointsOfDatadog(DATADOG.toObject(message, { longs: String, arrays: true }));
};

/** The same by JSON.parse. */
export const inDatadogJson: PointCounter = (body) => {
  const parsed = parsedWhole(body);
  return parsed === null ? null : pointsOfDatadog(parsed);
};

/** A series that is refused counts as one point if it has none. */
function pointsOfDatadog(body: { series?: unknown }): PointCount | null {
  if (!Array.isArray(body.series)) return null;
  const counts = body.series.map((series) => (Array.isArray(series?.points) ? series.points.length : 0));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { least: sum(counts), most: sum(counts.map((points) => Math.max(1, points))) };
}

function decoded(type: Type, body: Buffer): protobuf.Message | null {
  try {
    return type.decode(body);
  } catch {
    return null;
  }
}

/** Whether a message that was read is all of its body, by how long it is when it is written again. */
function isWhole(type: Type, message: protobuf.Message, body: Buffer): boolean {
  return type.encode(message).finish().length === body.length;
}

/** What JSON.parse reads; null unless it is an object that is written as the body is. */
function parsedWhole(body: Buffer): Record<string, unknown> | null {
  try {
    const parsed = JSON.parse(body.toString('utf8'));
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject && Buffer.from(JSON.stringify(parsed)).equals(body) ? parsed : null;
  } catch {
    return null;
  }
}
