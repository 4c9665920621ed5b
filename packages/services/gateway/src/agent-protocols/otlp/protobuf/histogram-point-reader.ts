import { knownFields, type ProtobufReader } from '../../wire/protobuf-reader.ts';
import type { SeriesHash } from '../../wire/series-hash.ts';
import { type ExponentialSide, HistogramValues } from '../histogram-values.ts';
import type { AttributeList } from './attribute-list.ts';

const EXPLICIT_FIELDS = knownFields(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
const EXPONENTIAL_FIELDS = knownFields(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
const SIDE_FIELDS = knownFields(1, 2);

/** Reads one side of an exponential histogram, whose length is next. */
function readSide(reader: ProtobufReader, side: ExponentialSide): void {
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === 8) side.offset = reader.sint32();
    else if (tag === 16) side.counts.add(reader.varint());
    else if (tag === 18) side.counts.addVarints(reader);
    else reader.skip(tag, SIDE_FIELDS);
  }
  reader.leave(outer);
}

/** Reads points of histograms, one after the other; the fields are those of the point that was read last. */
export class HistogramPointReader {
  /** Ms since the epoch. */
  time = 0;
  start = 0;
  flags = 0;
  exemplars = 0;
  readonly values = new HistogramValues();

  /** Reads the point of an explicit histogram to which reading is limited, its attributes into a list and a hash. */
  readExplicit(reader: ProtobufReader, attributes: AttributeList, hash: SeriesHash): void {
    const { values } = this;
    this.#clear();
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (this.#readCommon(reader, tag)) continue;
      if (tag === 74) attributes.add(hash);
      else if (tag === 49) values.counts.add(reader.fixed64());
      else if (tag === 50) values.counts.addFixed64(reader);
      else if (tag === 57) values.bounds.add(reader.double());
      else if (tag === 58) values.bounds.addDoubles(reader);
      else if (tag === 66) this.#passExemplar(reader);
      else if (tag === 89 || tag === 97) reader.double();
      else reader.skip(tag, EXPLICIT_FIELDS);
    }
  }

  /** The same for a point of an exponential histogram. */
  readExponential(reader: ProtobufReader, attributes: AttributeList, hash: SeriesHash): void {
    const { values } = this;
    this.#clear();
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (this.#readCommon(reader, tag)) continue;
      if (tag === 10) attributes.add(hash);
      else if (tag === 48) values.scale = reader.sint32();
      else if (tag === 57) values.zeroCount = reader.fixed64();
      else if (tag === 66) readSide(reader, values.positive);
      else if (tag === 74) readSide(reader, values.negative);
      else if (tag === 113) values.zeroThreshold = reader.double();
      else if (tag === 90) this.#passExemplar(reader);
      else if (tag === 97 || tag === 105) reader.double();
      else reader.skip(tag, EXPONENTIAL_FIELDS);
    }
  }

  #clear(): void {
    this.time = 0;
    this.start = 0;
    this.flags = 0;
    this.exemplars = 0;
    this.values.clear();
  }

  /** Reads what both kinds have; returns whether it was such a field. */
  #readCommon(reader: ProtobufReader, tag: number): boolean {
    if (tag === 17) this.start = reader.nanoseconds();
    else if (tag === 25) this.time = reader.nanoseconds();
    else if (tag === 33) this.values.count = reader.fixed64();
    else if (tag === 41) this.values.sum = reader.double();
    else if (tag === 80) this.flags = reader.uint32();
    else return false;
    return true;
  }

  #passExemplar(reader: ProtobufReader): void {
    reader.pass();
    this.exemplars += 1;
  }
}
