import { withoutPackedLists, withPackedLists } from './packed-lists.fixture.ts';

/** The messages of metrics in OTLP, as opentelemetry-proto 1.x describes them. */
const MESSAGES = `
syntax = "proto3";
message AnyValue {
  oneof value {
    string string_value = 1;
    bool bool_value = 2;
    int64 int_value = 3;
    double double_value = 4;
    ArrayValue array_value = 5;
    KeyValueList kvlist_value = 6;
    bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message Scope { string name = 1; string version = 2; }
message Exemplar { fixed64 time_unix_nano = 2; double as_double = 3; }
message NumberDataPoint {
  repeated KeyValue attributes = 7;
  fixed64 start_time_unix_nano = 2;
  fixed64 time_unix_nano = 3;
  oneof value { double as_double = 4; sfixed64 as_int = 6; }
  repeated Exemplar exemplars = 5;
  uint32 flags = 8;
}
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message HistogramDataPoint {
  repeated KeyValue attributes = 9;
  fixed64 start_time_unix_nano = 2;
  fixed64 time_unix_nano = 3;
  fixed64 count = 4;
  optional double sum = 5;
  repeated fixed64 bucket_counts = 6;
  repeated double explicit_bounds = 7;
  repeated Exemplar exemplars = 8;
  uint32 flags = 10;
  optional double min = 11;
  optional double max = 12;
}
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message Buckets { sint32 offset = 1; repeated uint64 bucket_counts = 2; }
message ExponentialHistogramDataPoint {
  repeated KeyValue attributes = 1;
  fixed64 start_time_unix_nano = 2;
  fixed64 time_unix_nano = 3;
  fixed64 count = 4;
  optional double sum = 5;
  sint32 scale = 6;
  fixed64 zero_count = 7;
  Buckets positive = 8;
  Buckets negative = 9;
  uint32 flags = 10;
  repeated Exemplar exemplars = 11;
  optional double min = 12;
  optional double max = 13;
  double zero_threshold = 14;
}
message ExponentialHistogram {
  repeated ExponentialHistogramDataPoint data_points = 1;
  int32 aggregation_temporality = 2;
}
message ValueAtQuantile { double quantile = 1; double value = 2; }
message SummaryDataPoint {
  repeated KeyValue attributes = 7;
  fixed64 start_time_unix_nano = 2;
  fixed64 time_unix_nano = 3;
  fixed64 count = 4;
  double sum = 5;
  repeated ValueAtQuantile quantile_values = 6;
  uint32 flags = 8;
}
message Summary { repeated SummaryDataPoint data_points = 1; }
message Metric {
  string name = 1;
  string description = 2;
  string unit = 3;
  oneof data {
    Gauge gauge = 5;
    Sum sum = 7;
    Histogram histogram = 9;
    ExponentialHistogram exponential_histogram = 10;
    Summary summary = 11;
  }
}
message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; string schema_url = 3; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; string schema_url = 3; }
message Request { repeated ResourceMetrics resource_metrics = 1; }
`;

/** Bodies of OTLP by protobufjs. */
export const otlpRequest = withPackedLists(MESSAGES).lookupType('Request');
const unpackedRequest = withoutPackedLists(MESSAGES).lookupType('Request');

/** The body with a field for each number of its lists. */
export function withoutPacking(body: Uint8Array): Buffer {
  return Buffer.from(unpackedRequest.encode(unpackedRequest.decode(body)).finish());
}

/** A body in protobuf. Members are named as in JSON. */
export function encodeOtlp(resourceMetrics: readonly object[]): Buffer {
  return Buffer.from(otlpRequest.encode(otlpRequest.fromObject({ resourceMetrics })).finish());
}

/** The same body in JSON, with integers of 64 bits as texts. */
export function encodeOtlpJson(resourceMetrics: readonly object[]): Buffer {
  const body = otlpRequest.toObject(otlpRequest.fromObject({ resourceMetrics }), {
    longs: String,
    json: true,
    bytes: String,
  });
  return Buffer.from(JSON.stringify(body));
}

/** Attributes with texts, from names and values by turns. */
export function attributesOf(...texts: readonly string[]): object[] {
  return Array.from({ length: texts.length / 2 }, (_, index) => ({
    key: texts[2 * index],
    value: { stringValue: texts[2 * index + 1] },
  }));
}

/** The metrics of one resource, which is the host `host`. */
export function metricsOf(host: string, ...metrics: readonly object[]): object {
  const resource = { attributes: attributesOf('host.name', host, 'os.type', 'linux') };
  return { resource, scopeMetrics: [{ scope: { name: 'hostmetrics' }, metrics }] };
}

/** A body like that of hostmetrics for host `host` at `time` (ms): 512 points in 32 metrics. */
export function scrapeOfOtlp(host: string, time: number): object[] {
  const timeUnixNano = `${time}000000`;
  const metrics = Array.from({ length: 32 }, (_, metric) => {
    const dataPoints = Array.from({ length: 16 }, (_, point) => ({
      attributes: attributesOf('device', `eth${point >> 1}`, 'direction', point % 2 ? 'receive' : 'transmit'),
      startTimeUnixNano: '1795000000000000000',
      timeUnixNano,
      ...(metric % 2 ? { asInt: String(metric * 1_000_000 + point) } : { asDouble: metric / 3 + point }),
    }));
    const data =
      metric % 2
        ? { sum: { dataPoints, aggregationTemporality: 2, isMonotonic: true } }
        : { gauge: { dataPoints } };
    return { name: `system.network.metric_${metric}`, description: 'What it counts.', unit: 'By', ...data };
  });
  return [metricsOf(host, ...metrics)];
}
