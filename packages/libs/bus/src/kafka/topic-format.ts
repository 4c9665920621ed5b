import type { Message } from '../bus.ts';

/** How the values of one topic travel. */
export interface TopicFormat<T> {
  /** Splits a message's value by partition; every part keeps the order of what it holds. */
  route(message: Message<T>, partitions: number): Iterable<readonly [partition: number, value: T]>;
  /** How many bytes the value may take at most, roughly; decides which values share a record. */
  weigh(value: T): number;
  /** One record of several values. */
  encode(values: readonly T[]): Buffer;
  /** The values of a record. Throws CorruptRecordError or MalformedBytesError. */
  decode(record: Buffer): T[];
}
