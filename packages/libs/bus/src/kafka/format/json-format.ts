import { crc32 } from 'node:zlib';
import { seal, unseal } from './envelope.ts';
import type { TopicFormat } from './topic-format.ts';

/** A record format of JSON arrays; the key of a message decides its partition. */
export function createJsonFormat<T>(): TopicFormat<T> {
  return {
    route: ({ key, value }, partitions) => [[crc32(key) % partitions, value]],
    open() {
      const texts: string[] = [];
      let length = 0;
      return {
        length: () => length,
        add(value) {
          const text = JSON.stringify(value);
          texts.push(text);
          length += Buffer.byteLength(text) + 1;
        },
        finish: () => seal(Buffer.from(`[${texts.join(',')}]`)),
      };
    },
    decode: (record) => JSON.parse(unseal(record).toString()) as T[],
  };
}
