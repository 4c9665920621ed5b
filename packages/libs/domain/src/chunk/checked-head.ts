import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { checksum } from './checksum.ts';

/**
 * What log rows, chunks and rollup rows begin with. The head names the parts that follow with the length and the checksum of
 * each, so that a reader can check one part without reading the others.
 *
 *   bytes = version (1 byte), checksum (4 bytes), length of the head, head, part*
 *
 * The checksum covers the length and the head. Numbers are little-endian, and lengths are varints.
 */
export const VERSION = 1;
const CHECKED_FROM = 5;

/** Where a part lies in the bytes, and its checksum. */
export interface PartPlace {
  start: number;
  end: number;
  checksum: number;
}

/** Returns the bytes of a head and the parts behind it, in memory of their own. */
export function joinHead(head: ByteWriter, parts: ByteWriter): Buffer {
  const length = varintBytes(head.length);
  const start = CHECKED_FROM + length;
  const bytes = Buffer.allocUnsafe(start + head.length + parts.length);
  bytes[0] = VERSION;
  let rest = head.length;
  for (let at = CHECKED_FROM; at < start; at += 1) {
    bytes[at] = at < start - 1 ? (rest & 0x7f) | 0x80 : rest;
    rest >>>= 7;
  }
  bytes.set(head.bytes(), start);
  bytes.set(parts.bytes(), start + head.length);
  bytes.writeUInt32LE(checksum(bytes, CHECKED_FROM, start + head.length), 1);
  return bytes;
}

/** A reader of the head that begins at `from`, and where the first part begins. The parts themselves may be missing. */
export function openHead(bytes: Buffer, from = 0): { head: ByteReader; partsStart: number } {
  const reader = new ByteReader(bytes, from);
  const version = reader.byte();
  if (version !== VERSION) throw new MalformedBytesError(`the unknown version ${version}`);
  const expected = reader.uint32();
  const length = reader.count();
  const start = reader.at;
  const partsStart = start + length;
  if (checksum(bytes, from + CHECKED_FROM, partsStart) !== expected)
    throw new MalformedBytesError('the head differs from its checksum');
  return { head: new ByteReader(bytes, start, partsStart), partsStart };
}

/**
 * The head as far as `bytes` have it, unchecked, and where the first part begins: for a reader that fetches only some parts. What it finds
 * out has to be confirmed by opening the whole head.
 */
export function peekHead(bytes: Buffer): { head: ByteReader; partsStart: number } {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new MalformedBytesError(`the unknown version ${version}`);
  reader.uint32();
  const length = reader.varint();
  const { at } = reader;
  const partsStart = at + length;
  return { head: new ByteReader(bytes, at, Math.min(partsStart, bytes.length)), partsStart };
}

/** A reader of a part of `bytes`. Throws MalformedBytesError if some are missing or differ from its checksum. */
export function openPart(bytes: Buffer, { start, end, checksum: expected }: PartPlace): ByteReader {
  requirePart(bytes, start, end, expected);
  return new ByteReader(bytes, start, end);
}

/** A reader of a part that was fetched alone. Throws MalformedBytesError if the bytes are not those of this part. */
export function openAlone(bytes: Buffer, { start, end, checksum: expected }: PartPlace): ByteReader {
  if (bytes.length !== end - start) throw new MalformedBytesError('a part of another length');
  requirePart(bytes, 0, bytes.length, expected);
  return new ByteReader(bytes);
}

/** Throws MalformedBytesError if bytes of a part are missing or differ from its checksum. */
function requirePart(bytes: Buffer, start: number, end: number, expected: number): void {
  if (end > bytes.length) throw new MalformedBytesError('the bytes end too early');
  if (checksum(bytes, start, end) !== expected)
    throw new MalformedBytesError('a part differs from its checksum');
}

/** Throws MalformedBytesError unless a reader has read everything. */
export function requireEnd(reader: ByteReader): void {
  if (!reader.isAtEnd) throw new MalformedBytesError('bytes are left behind the end');
}

const varintBytes = (value: number): number => {
  let count = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) count += 1;
  return count;
};
