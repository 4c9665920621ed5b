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

/** A reader of the head, and where the first part begins. The parts themselves may be missing. */
export function openHead(bytes: Buffer): { head: ByteReader; partsStart: number } {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new MalformedBytesError(`the unknown version ${version}`);
  const expected = reader.uint32();
  const head = new ByteReader(reader.raw(reader.count()));
  if (checksum(bytes, CHECKED_FROM, reader.at) !== expected)
    throw new MalformedBytesError('the head differs from its checksum');
  return { head, partsStart: reader.at };
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
  return { head: new ByteReader(bytes.subarray(at, at + length)), partsStart: at + length };
}

/** Reads the length and the checksum of a part that begins at `start`. */
export function readPartPlace(head: ByteReader, start: number): PartPlace {
  return { start, end: start + head.varint(), checksum: head.uint32() };
}

/** The bytes of a part. Throws MalformedBytesError if some are missing or differ from its checksum. */
export function checkedPart(bytes: Buffer, place: PartPlace): Buffer {
  if (place.end > bytes.length) throw new MalformedBytesError('the bytes end too early');
  if (checksum(bytes, place.start, place.end) !== place.checksum)
    throw new MalformedBytesError('a part differs from its checksum');
  return bytes.subarray(place.start, place.end);
}

/** The bytes of a part that was fetched alone. Throws MalformedBytesError if they are not those of this part. */
export function checkedAlone(bytes: Buffer, { start, end, checksum: expected }: PartPlace): Buffer {
  if (bytes.length !== end - start) throw new MalformedBytesError('a part of another length');
  return checkedPart(bytes, { start: 0, end: bytes.length, checksum: expected });
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
