import type { Message } from '../../bus.ts';

/** A record under construction. */
export interface RecordBuilder<T> {
  /**
   * The size of the record up to now, bytes. It is a method because an accessor's closure would keep the record in
   * memory longer.
   */
  length(): number;
  /** Packs a value into the record. */
  add(value: T): void;
  /** Returns the complete record; no value may be added afterwards. */
  finish(): Buffer;
}

/** Packs the values of one topic into records and unpacks them. */
export interface TopicFormat<T> {
  /** Splits a message's value by partition; the order of values within a partition is kept. */
  route(message: Message<T>, partitions: number): Iterable<readonly [partition: number, value: T]>;
  /** Starts a record. */
  open(): RecordBuilder<T>;
  /** The values of a record. Throws CorruptRecordError or MalformedBytesError. */
  decode(record: Buffer): T[];
}

/** Packs one value as a whole record. */
export function packOne<T>(format: TopicFormat<T>, value: T): Buffer {
  const builder = format.open();
  builder.add(value);
  return builder.finish();
}
