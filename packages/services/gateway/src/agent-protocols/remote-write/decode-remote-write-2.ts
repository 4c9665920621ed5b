import type { PointDecoder, PointSink } from '../series/point-sink.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';
import { LabelReferences } from './label-references.ts';
import { type SeriesLayout, SeriesPoints } from './series-points.ts';
import { SymbolTable } from './symbol-table.ts';

const SERIES = 42;

const LAYOUT: SeriesLayout = {
  histograms: 26,
  exemplars: 34,
  fields: knownFields(1, 2, 3, 4, 5, 6),
  others: [8, 10, 42, 48],
};

/** Decodes bodies of Prometheus' remote write 2.0 (`io.prometheus.write.v2.Request`). */
export const decodeRemoteWrite2: PointDecoder = function* decode(bytes, sink) {
  const symbols = new SymbolTable(bytes, sink.hash.of('symbols'));
  try {
    yield* symbols.load();
    yield* decodeSeries(bytes, sink, symbols);
  } finally {
    symbols.release();
  }
};

function* decodeSeries(bytes: Buffer, sink: PointSink, symbols: SymbolTable): ReturnType<PointDecoder> {
  const reader = new ProtobufReader(bytes);
  const labels = new LabelReferences(reader, sink, symbols);
  const points = new SeriesPoints(reader, sink, LAYOUT, labels);
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag !== SERIES) {
      reader.skip(tag);
      continue;
    }
    const outer = reader.enter();
    labels.scan();
    points.begin(labels.created);
    while (points.read()) yield;
    reader.leave(outer);
  }
}
