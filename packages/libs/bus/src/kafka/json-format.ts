import { crc32 } from 'node:zlib';
import { seal, unseal } from './envelope.ts';
import type { TopicFormat } from './topic-format.ts';

/** Values as a JSON array; the partition follows from the message's key. */
export function createJsonFormat<T>(): TopicFormat<T> {
  return {
    route: ({ key, value }, partitions) => [[crc32(key) % partitions, value]],
    weigh: (value) => JSON.stringify(value).length,
    encode: (values) => seal(Buffer.from(JSON.stringify(values))),
    decode: (record) => JSON.parse(unseal(record).toString()) as T[],
  };
}
