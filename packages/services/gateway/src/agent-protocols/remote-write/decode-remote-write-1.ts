import type { PointDecoder, PointSink } from '../series/point-sink.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';
import { LabelFields } from './label-fields.ts';
import type { MetricTypes } from './metric-types.ts';
import { type SeriesLayout, SeriesPoints } from './series-points.ts';

const SERIES = 10;
const METADATA = 26;
const FIELDS = knownFields(1, 3);
/** Fields of a body of version 2.0. */
const SYMBOLS_2 = 34;
const SERIES_2 = 42;

const LAYOUT: SeriesLayout = { histograms: 34, exemplars: 26, fields: knownFields(1, 2, 3, 4), others: [10] };

const METADATA_FIELDS = knownFields(1, 2, 4, 5);

/** How many families of metadata are read before other requests are served. */
const TURN = 1_000;

/** Reads one metadata message, whose length is next. */
function readMetadata(reader: ProtobufReader, types: MetricTypes): void {
  const outer = reader.enter();
  let type = 0;
  let family = '';
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === 8) type = reader.uint32();
    else if (tag === 18) {
      const end = reader.enter();
      family = reader.text(reader.at, reader.end);
      reader.leave(end);
    } else if (tag === 34 || tag === 42) reader.pass();
    else reader.skip(tag, METADATA_FIELDS);
  }
  reader.leave(outer);
  if (family !== '') types.learn(family, type);
}

function* decode(bytes: Buffer, sink: PointSink, types: MetricTypes): Generator<undefined, void, undefined> {
  const reader = new ProtobufReader(bytes);
  const labels = new LabelFields(reader, sink, types);
  const points = new SeriesPoints(reader, sink, LAYOUT, labels);
  let families = 0;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === SERIES) {
      const outer = reader.enter();
      labels.begin();
      while (labels.scan()) yield;
      points.begin(0);
      while (points.read()) yield;
      reader.leave(outer);
    } else if (tag === METADATA) {
      readMetadata(reader, types);
      families += 1;
      if (families % TURN === 0) yield;
    } else if (tag === SYMBOLS_2 || tag === SERIES_2)
      throw new MalformedBodyError(
        'The body is of remote write 2.0. Say so: Content-Type: application/x-protobuf;proto=io.prometheus.write.v2.Request.',
      );
    else reader.skip(tag, FIELDS);
  }
}

/**
 * Decodes bodies of Prometheus' remote write 1.0 (`prometheus.WriteRequest`). `types` is what earlier metadata of the same
 * organization said, and learns from the metadata of these bodies.
 */
export function remoteWrite1Decoder(types: MetricTypes): PointDecoder {
  return (bytes, sink) => decode(bytes, sink, types);
}
