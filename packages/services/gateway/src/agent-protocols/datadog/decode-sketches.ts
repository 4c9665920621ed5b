import type { PointSink } from '../series/point-sink.ts';
import { knownFields, ProtobufReader } from '../wire/protobuf-reader.ts';

const SKETCH = 10;

/** Counts the series of distributions in the protobuf of `/api/beta/sketches` (`SketchPayload`), which are left out. */
export function* decodeSketches(bytes: Buffer, sink: PointSink): Generator<undefined, void, undefined> {
  yield;
  const reader = new ProtobufReader(bytes);
  let sketches = 0;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === SKETCH) {
      sketches += 1;
      reader.pass();
    } else reader.skip(tag, knownFields(1));
  }
  sink.omit('sketch', sketches);
}
