import { zstdCompressSync } from 'node:zlib';
import { createRandom } from '@tidewatch/harness/seeded-random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { varint } from '../../testing/protobuf-bytes.fixture.ts';
import { compressSnappy } from '../../testing/snappy.fixture.ts';
import { BodyTooLargeError } from './body-too-large-error.ts';
import { crc32c } from './crc32c.ts';
import { decodeSnappy, maxDecodedLength } from './decode-snappy.ts';
import { MalformedBodyError } from './malformed-body-error.ts';

const MAX = 1024 * 1024;
const IDENTIFIER = Buffer.from([0xff, 6, 0, 0, ...Buffer.from('sNaPpY')]);

/** A chunk of a framed stream. */
function chunk(type: number, content: Uint8Array): Buffer {
  const length = content.length;
  return Buffer.concat([Buffer.from([type, length & 255, (length >>> 8) & 255, length >>> 16]), content]);
}

function withChecksum(content: Buffer, stored: Buffer): Buffer {
  const sum = crc32c(content, 0, content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE((((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0);
  return Buffer.concat([checksum, stored]);
}

const compressed = (content: Buffer) => chunk(0, withChecksum(content, compressSnappy(content)));
const plain = (content: Buffer) => chunk(1, withChecksum(content, content));

const bytes = (...values: number[]) => Buffer.from(values);
const text = (value: string) => [...Buffer.from(value)];

describe('a body that is said to be snappy', () => {
  it('is decoded from a block with literals of every form of length', () => {
    for (const length of [0, 1, 59, 60, 61, 255, 256, 257, 65_536, 70_000]) {
      const content = Buffer.alloc(length, 'abcdefghij');
      const coded = length - 1;
      const width = coded < 60 ? 0 : coded < 256 ? 1 : coded < 65_536 ? 2 : 3;
      const header = width === 0 ? [coded << 2] : [(59 + width) << 2];
      for (let at = 0; at < width; at += 1) header.push((coded >>> (8 * at)) & 255);
      const block = Buffer.concat([varint(length), length === 0 ? bytes() : Buffer.from(header), content]);
      expect(decodeSnappy(block, MAX)).toEqual(content);
    }
  });

  it('is decoded from a block with copies of one, two and four bytes of offset, overlapping ones too', () => {
    // The length, a literal, and a copy of 4 bytes from 3 before.
    const one = bytes(7, 2 << 2, ...text('abc'), 1, 3);
    expect(decodeSnappy(one, MAX).toString()).toBe('abcabca');
    const two = bytes(33, 2 << 2, ...text('abc'), (29 << 2) | 2, 3, 0);
    expect(decodeSnappy(two, MAX).toString()).toBe('abc'.repeat(11));
    const four = bytes(33, 2 << 2, ...text('abc'), (29 << 2) | 3, 3, 0, 0, 0);
    expect(decodeSnappy(four, MAX).toString()).toBe('abc'.repeat(11));
  });

  it('is what was compressed, whatever it was', () => {
    const word = fc.constantFrom('abcd', 'node_cpu_seconds_total', 'x', 'instance', '\0\0\0\0');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 200 }), (words) => {
        const content = Buffer.from(words.join(''));
        expect(decodeSnappy(compressSnappy(content), MAX)).toEqual(content);
      }),
    );
  });

  it('is decoded from a framed stream with compressed, plain, padding and skippable chunks', () => {
    const one = Buffer.from('one and one and one and one');
    const two = Buffer.from('two');
    const stream = Buffer.concat([
      IDENTIFIER,
      compressed(one),
      chunk(0xfe, Buffer.alloc(100)),
      IDENTIFIER,
      chunk(0x80, one),
      plain(two),
    ]);
    expect(decodeSnappy(stream, MAX).toString()).toBe(`${one}${two}`);
    expect(decodeSnappy(IDENTIFIER, MAX)).toHaveLength(0);
  });

  it('is decoded as zstd if it begins like that', () => {
    const content = Buffer.alloc(5_000, 'abc');
    expect(decodeSnappy(zstdCompressSync(content), MAX)).toEqual(content);
  });

  it.each<[string, Buffer]>([
    ['nothing', bytes()],
    ['a length without end', bytes(0x80)],
    ['a length of six bytes', bytes(0x80, 0x80, 0x80, 0x80, 0x80, 1)],
    ['a length over 32 bits', bytes(0xff, 0xff, 0xff, 0xff, 0x7f)],
    ['a stated length of 4 GiB in six bytes', bytes(0xff, 0xff, 0xff, 0xff, 0x0f, 0)],
    ['a stated length of 0 with data', bytes(0, 0, 97)],
    ['a stated length of more than there is', bytes(5, 0, 97)],
    ['a stated length of less than there is', bytes(1, 1 << 2, 97, 98)],
    ['a literal that is incomplete', bytes(5, 4 << 2, 97)],
    ['a literal whose length is incomplete', bytes(100, 61 << 2, 1)],
    ['a literal with a length of 4 GiB', bytes(5, 63 << 2, 255, 255, 255, 255, 97)],
    ['a copy before the content', bytes(5, 0, 97, 1, 2)],
    ['a copy at the beginning', bytes(4, 1, 1)],
    ['a copy with offset 0', bytes(5, 0, 97, 1, 0)],
    ['a copy past the stated length', bytes(4, 0, 97, 1, 1)],
    ['a copy of two bytes that is incomplete', bytes(5, 0, 97, 2, 1)],
    ['a copy of four bytes that is incomplete', bytes(5, 0, 97, 3, 1, 0, 0)],
    ['a copy with an offset of 4 GiB', bytes(5, 0, 97, 3 | (3 << 2), 255, 255, 255, 255)],
    ['a stream with a wrong checksum', Buffer.concat([IDENTIFIER, chunk(1, bytes(1, 2, 3, 4, 97))])],
    ['a stream with a chunk without checksum', Buffer.concat([IDENTIFIER, chunk(1, bytes(1, 2, 3))])],
    ['a stream with a chunk of an unknown type', Buffer.concat([IDENTIFIER, chunk(2, bytes(1, 2, 3, 4))])],
    ['a stream that is cut', Buffer.concat([IDENTIFIER, plain(Buffer.from('abc'))]).subarray(0, -1)],
    ['a stream that is cut in the head of a chunk', Buffer.concat([IDENTIFIER, bytes(1, 0)])],
    [
      'a stream with another identifier in it',
      Buffer.concat([IDENTIFIER, chunk(0xff, Buffer.from('sNaPpX'))]),
    ],
    ['a stream with a chunk over 64 KiB', Buffer.concat([IDENTIFIER, plain(Buffer.alloc(65_537))])],
    ['zstd that is cut', zstdCompressSync(Buffer.alloc(1_000, 'abc')).subarray(0, -3)],
    ['zstd with bytes behind it', Buffer.concat([zstdCompressSync(Buffer.from('abc')), bytes(1)])],
  ])('is refused as malformed if it is %s', (_, body) => {
    expect(() => decodeSnappy(body, MAX)).toThrow(MalformedBodyError);
    expect(() => decodeSnappy(body, MAX)).not.toThrow(BodyTooLargeError);
  });

  it.each<[string, Buffer]>([
    ['a block', compressSnappy(Buffer.alloc(MAX + 1))],
    [
      'a stream',
      Buffer.concat([IDENTIFIER, ...Array.from({ length: 17 }, () => compressed(Buffer.alloc(65_536)))]),
    ],
    ['zstd', zstdCompressSync(Buffer.alloc(100 * MAX))],
  ])('is refused as too large if it is %s that grows over the limit', (_, body) => {
    expect(() => decodeSnappy(body, MAX)).toThrow(BodyTooLargeError);
  });

  it('neither crashes nor hangs when bytes are changed', () => {
    const random = createRandom(1_107);
    const content = Buffer.from('node_network_receive_bytes_total{device="eth0"} '.repeat(40));
    const originals = [compressSnappy(content), Buffer.concat([IDENTIFIER, compressed(content)])];
    let refused = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const body = Buffer.from(originals[round % 2] as Buffer);
      for (let change = Math.floor(random() * 4); change >= 0; change -= 1)
        body[Math.floor(random() * body.length)] = Math.floor(random() * 256);
      try {
        expect(decodeSnappy(body, MAX).length).toBeLessThanOrEqual(MAX);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedBodyError);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(1_000);
  });
});

describe('the checksum CRC-32C', () => {
  it('is that of the published check value', () => {
    expect(crc32c(Buffer.from('123456789'), 0, 9)).toBe(0xe306_9283);
  });
});

it.each<[string, Buffer, number]>([
  ['of a block is what the block states', compressSnappy(Buffer.alloc(5_000)), 5_000],
  ['of zstd under this name is the limit', zstdCompressSync(Buffer.alloc(5_000)), 16_384],
])('the memory that is reserved before a body is decompressed, %s', (_, body, expected) => {
  expect(maxDecodedLength(body, 16_384)).toBe(expected);
});
