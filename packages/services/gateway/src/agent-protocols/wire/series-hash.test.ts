import { expect, test } from 'vitest';
import { SeriesHash } from './series-hash.ts';

const hashOf = (hash: SeriesHash, text: string) => {
  const bytes = Buffer.from(text);
  hash.begin();
  hash.bytes(bytes, 0, bytes.length);
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
