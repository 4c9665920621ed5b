import type { Message } from '../../bus.ts';

/** A record under construction. */
export interface RecordBuilder<T> {
  /** Bytes so far. A method, since the closure of an accessor would keep the whole record in the old generation. */
  length(): number;
  /** Packs a value at once. */
  add(value: T): void;
  /** The whole record; nothing may be added afterwards. */
  finish(): Buffer;
}

/** How the values of one topic are packed into records. */
export interface TopicFormat<T> {
  /** Splits a message's value by partition; each part keeps the order of its values. */
  route(message: Message<T>, partitions: number): Iterable<readonly [partition: number, value: T]>;
  /** Starts a record. */
  open(): RecordBuilder<T>;
  /** The values of a record. Throws CorruptRecordError or MalformedBytesError. */
  decode(record: Buffer): T[];
}

/** A record of one value. */
export function packOne<T>(format: TopicFormat<T>, value: T): Buffer {
  const builder = format.open();
  builder.add(value);
  return builder.finish();
}
