import type { PointDecoder } from '../series/point-sink.ts';
import { Places } from '../wire/places.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';
import { addPlace } from './protobuf/add-place.ts';
import { MetricPoints } from './protobuf/metric-points.ts';

const RESOURCE_METRICS = 10;
const RESOURCE = 10;
const SCOPE_METRICS = 18;
const SCHEMA_URL = 26;
const SCOPE = 10;
const METRICS = 18;

const FIELDS = knownFields(1, 2, 3);

/** Finds the resource of the message to which reading is limited, which may stand behind the scopes. */
function beginResource(reader: ProtobufReader, points: MetricPoints): void {
  const { at, end } = reader;
  const places = new Places();
  while (reader.at < end) {
    const tag = reader.tag();
    if (tag === RESOURCE) addPlace(reader, places);
    else if (tag === SCOPE_METRICS || tag === SCHEMA_URL) reader.pass();
    else reader.skip(tag, FIELDS);
  }
  points.beginResource(places);
  reader.move(at, end);
}

/** Reads the metrics of the scope to which reading is limited. */
function* readScope(reader: ProtobufReader, points: MetricPoints): Generator<undefined, void, undefined> {
  const { end } = reader;
  while (reader.at < end) {
    const tag = reader.tag();
    if (tag !== METRICS) {
      if (tag === SCOPE || tag === SCHEMA_URL) reader.pass();
      else reader.skip(tag, FIELDS);
      continue;
    }
    if (points.isTurnOver()) yield;
    reader.enter();
    const behind = reader.end;
    points.begin();
    while (points.read()) yield;
    reader.move(behind, end);
  }
}

/** Decodes bodies of OTLP in protobuf (`opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest`). */
export const decodeOtlpProtobuf: PointDecoder = function* decode(bytes, sink) {
  const reader = new ProtobufReader(bytes);
  const points = new MetricPoints(reader, sink);
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag !== RESOURCE_METRICS) {
      reader.skip(tag, knownFields(1));
      continue;
    }
    if (points.isTurnOver()) yield;
    const outer = reader.enter();
    const { end } = reader;
    beginResource(reader, points);
    while (reader.at < end) {
      const field = reader.tag();
      if (field !== SCOPE_METRICS) {
        reader.skip(field);
        continue;
      }
      if (points.isTurnOver()) yield;
      reader.enter();
      yield* readScope(reader, points);
      reader.leave(end);
    }
    reader.leave(outer);
  }
};
