import type { Message } from '../bus.ts';

/** A record that is being written. */
export interface RecordBuilder<T> {
  /** Bytes so far. A method, since an accessor's closure is born old and takes the whole record along. */
  length(): number;
  /** Packs a value at once. */
  add(value: T): void;
  /** The whole record; nothing may be added afterwards. */
  finish(): Buffer;
}

/** How the values of one topic travel. */
export interface TopicFormat<T> {
  /** Splits a message's value by partition; every part keeps the order of what it holds. */
  route(message: Message<T>, partitions: number): Iterable<readonly [partition: number, value: T]>;
  /** Begins a record. */
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
