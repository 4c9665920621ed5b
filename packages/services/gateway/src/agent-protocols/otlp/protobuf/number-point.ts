import { knownFields, type ProtobufReader } from '../../wire/protobuf-reader.ts';
import type { SeriesHash } from '../../wire/series-hash.ts';
import type { AttributeList } from './attribute-list.ts';

const FIELDS = knownFields(2, 3, 4, 5, 6, 7, 8);

/** Reads points of gauges and sums, one after the other; the fields are those of the point that was read last. */
export class NumberPoint {
  /** Ms since the epoch. */
  time = 0;
  start = 0;
  flags = 0;
  value = 0;
  hasValue = false;
  exemplars = 0;

  /** Reads the point to which reading is limited, its attributes into a list and a hash. */
  read(reader: ProtobufReader, attributes: AttributeList, hash: SeriesHash): void {
    this.time = 0;
    this.start = 0;
    this.flags = 0;
    this.value = 0;
    this.hasValue = false;
    this.exemplars = 0;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      switch (tag) {
        case 58:
          attributes.add(hash);
          break;
        case 17:
          this.start = reader.nanoseconds();
          break;
        case 25:
          this.time = reader.nanoseconds();
          break;
        case 33:
          this.value = reader.double();
          this.hasValue = true;
          break;
        case 49:
          this.value = reader.sfixed64();
          this.hasValue = true;
          break;
        case 64:
          this.flags = reader.uint32();
          break;
        case 42:
          reader.pass();
          this.exemplars += 1;
          break;
        default:
          reader.skip(tag, FIELDS);
      }
    }
  }
}
