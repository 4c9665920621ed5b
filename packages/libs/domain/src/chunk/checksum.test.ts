import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksum } from './checksum.ts';

test('the checksum of 123456789 is the one that every description of CRC-32 names', () => {
  expect(checksum(Buffer.from('123456789'))).toBe(0xcbf43926);
});

test('the checksum of any bytes is that of zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(checksum(bytes)).toBe(crc32(bytes));
    }),
  );
});

test('a checksum covers the bytes from start to end alone', () => {
  const bytes = Buffer.from('before123456789after');
  expect(checksum(bytes, 6, 15)).toBe(crc32('123456789'));
  expect(checksum(bytes, 6, 6)).toBe(0);
});
