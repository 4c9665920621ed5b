import { knownFields, type ProtobufReader } from '../../wire/protobuf-reader.ts';
import type { SeriesHash } from '../../wire/series-hash.ts';
import { SummaryValues } from '../summary-values.ts';
import type { AttributeList } from './attribute-list.ts';

const FIELDS = knownFields(2, 3, 4, 5, 6, 7, 8);
const QUANTILE_FIELDS = knownFields(1, 2);

/** Reads points of summaries, one after the other; the fields are those of the point that was read last. */
export class SummaryPoint {
  /** Ms since the epoch. */
  time = 0;
  start = 0;
  flags = 0;
  readonly values = new SummaryValues();

  /** Reads the point to which reading is limited, its attributes into a list and a hash. */
  read(reader: ProtobufReader, attributes: AttributeList, hash: SeriesHash): void {
    const { values } = this;
    this.time = 0;
    this.start = 0;
    this.flags = 0;
    values.clear();
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === 58) attributes.add(hash);
      else if (tag === 17) this.start = reader.nanoseconds();
      else if (tag === 25) this.time = reader.nanoseconds();
      else if (tag === 33) values.count = reader.fixed64();
      else if (tag === 41) values.sum = reader.double();
      else if (tag === 50) this.#readQuantile(reader);
      else if (tag === 64) this.flags = reader.uint32();
      else reader.skip(tag, FIELDS);
    }
  }

  #readQuantile(reader: ProtobufReader): void {
    const outer = reader.enter();
    let quantile = 0;
    let value = 0;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      if (tag === 9) quantile = reader.double();
      else if (tag === 17) value = reader.double();
      else reader.skip(tag, QUANTILE_FIELDS);
    }
    reader.leave(outer);
    this.values.quantiles.add(quantile);
    this.values.values.add(value);
  }
}
