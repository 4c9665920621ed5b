import type { PointDecoder, PointSink } from '../series/point-sink.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';
import type { SeriesHash } from '../wire/series-hash.ts';
import { LabelReferences } from './label-references.ts';
import type { SeriesOrder, SeriesOrders } from './series-orders.ts';
import { type SeriesLayout, SeriesPoints } from './series-points.ts';
import { SeriesRecall } from './series-recall.ts';
import { SymbolTable } from './symbol-table.ts';

const SERIES = 42;

const LAYOUT: SeriesLayout = {
  histograms: 26,
  exemplars: 34,
  fields: knownFields(1, 2, 3, 4, 5, 6),
  others: [8, 10, 42, 48],
};

/**
 * Decodes bodies of Prometheus' remote write 2.0 (`io.prometheus.write.v2.Request`) of an organization. `orders` is what earlier
 * bodies were found to hold, and learns from these.
 */
export function remoteWrite2Decoder(orders: SeriesOrders, organizationId: string): PointDecoder {
  return function* decode(bytes, sink) {
    const symbols = new SymbolTable(bytes, sink.hash.of('symbols'));
    const hash = orders.hashOf(organizationId);
    const order = symbols.hashLeading(hash) ? orders.of(hash.high, hash.low) : undefined;
    try {
      yield* decodeSeries(bytes, sink, symbols, order && { hash, order });
    } finally {
      symbols.release();
    }
    if (order !== undefined) orders.keep(order);
  };
}

function* decodeSeries(
  bytes: Buffer,
  sink: PointSink,
  symbols: SymbolTable,
  known: { hash: SeriesHash; order: SeriesOrder } | undefined,
): ReturnType<PointDecoder> {
  const reader = new ProtobufReader(bytes);
  const recall = known && new SeriesRecall(reader, known.hash, known.order);
  const labels = new LabelReferences(reader, sink, symbols, recall);
  const points = new SeriesPoints(reader, sink, LAYOUT, labels);
  if (recall === undefined) yield* symbols.load();
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag !== SERIES) {
      symbols.pass(reader, tag);
      continue;
    }
    const outer = reader.enter();
    if (!labels.recall()) {
      yield* symbols.load();
      labels.scan();
    }
    points.begin(labels.created);
    while (points.read()) yield;
    reader.leave(outer);
  }
}
