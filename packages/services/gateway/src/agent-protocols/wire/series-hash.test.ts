import { createRandom } from '@tidewatch/harness/seeded-random';
import { expect, test } from 'vitest';
import { SeriesHash } from './series-hash.ts';

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length);

const hashOf = (hash: SeriesHash, text: string) => {
  const view = viewOf(Buffer.from(text));
  hash.begin();
  hash.bytes(view, 0, view.byteLength);
  return `${hash.high} ${hash.low}`;
};

test('the hash of a hundred thousand similar series is different for each', () => {
  const hash = new SeriesHash([17, 23]);
  const hashes = new Set<string>();
  for (let host = 0; host < 1_000; host += 1)
    for (let cpu = 0; cpu < 100; cpu += 1)
      hashes.add(hashOf(hash, `node_cpu{instance="web-${host}",cpu="${cpu}"}`));
  expect(hashes.size).toBe(100_000);
});

test('high is an integer of 32 bits, and low one that a double holds exactly', () => {
  const hash = new SeriesHash([17, 23]);
  for (let number = 0; number < 1_000; number += 1) {
    hash.begin();
    hash.number(number);
    expect(hash.high).toBe(hash.high | 0);
    expect(Number.isSafeInteger(hash.low)).toBe(true);
  }
});

test('the same bytes have other hashes with another seed, in another process and for another origin', () => {
  const hash = new SeriesHash([17, 23]);
  const hashes = [hash, new SeriesHash([18, 23]), hash.of('a'), hash.of('b')].map((each) =>
    hashOf(each, 'up'),
  );
  expect(new Set(hashes).size).toBe(4);
  expect(hashOf(hash.of('a'), 'up')).toBe(hashes[2]);
});

test('texts are divided where they were added', () => {
  const hash = new SeriesHash([17, 23]);
  const of = (...texts: string[]) => {
    hash.begin();
    for (const text of texts) hash.text(text);
    return hash.low;
  };
  expect(of('ab', 'c')).not.toBe(of('a', 'bc'));
});

test('each bit of up to nine bytes counts, wherever they begin', () => {
  const hash = new SeriesHash([17, 23]);
  const hashes = new Set<string>();
  for (let length = 0; length <= 9; length += 1)
    for (let bit = -1; bit < 8 * length; bit += 1) {
      const bytes = Buffer.alloc(length, 0x5a);
      if (bit >= 0) bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      const places = [0, 1, 2, 3].map((start) => {
        hash.begin();
        hash.bytes(viewOf(Buffer.concat([Buffer.alloc(start, 7), bytes])), start, start + length);
        return `${hash.high} ${hash.low}`;
      });
      expect(new Set(places).size).toBe(1);
      hashes.add(places[0] as string);
    }
  expect(hashes.size).toBe(10 + 8 * 45);
});

test('changes of two words do not cancel each other, whichever bits they are', () => {
  const random = createRandom(17);
  for (let turn = 0; turn < 200; turn += 1) {
    const hash = new SeriesHash([(random() * 2 ** 32) | 0, (random() * 2 ** 32) | 0]);
    const of = (first: number, second: number) => {
      const view = new DataView(new ArrayBuffer(8));
      view.setInt32(0, first, true);
      view.setInt32(4, second, true);
      hash.begin();
      hash.bytes(view, 0, 8);
      return `${hash.high} ${hash.low}`;
    };
    const hashes = new Set<string>();
    for (let one = 0; one < 32; one += 1)
      for (let other = 0; other < 32; other += 1) hashes.add(of(1 << one, 1 << other));
    expect(hashes.size).toBe(32 * 32);
  }
});
