import { crc32, gunzipSync, gzipSync } from 'node:zlib';

/** The length of the compressed payload, its CRC-32, and the length of its text: three unsigned numbers of 32 bits. */
const HEADER_BYTES = 12;

/** Where a record lies in its file. */
export interface RecordPlace {
  offset: number;
  /** The size of the record with its header. */
  length: number;
  /** The size of the payload's text. */
  textBytes: number;
}

/** Packs a payload as a record. */
export function packRecord(body: string): Buffer {
  const stored = gzipSync(body, { level: 1 });
  const record = Buffer.alloc(HEADER_BYTES + stored.length);
  record.writeUInt32LE(stored.length, 0);
  record.writeUInt32LE(crc32(stored), 4);
  record.writeUInt32LE(Buffer.byteLength(body), 8);
  stored.copy(record, HEADER_BYTES);
  return record;
}

/** The payload of a record that `placesIn` found. Throws if its bytes have changed since. */
export function unpackRecord(record: Buffer): string {
  const stored = record.subarray(HEADER_BYTES);
  if (crc32(stored) !== record.readUInt32LE(4)) throw new Error('the record is damaged');
  return gunzipSync(stored).toString('utf8');
}

/** The records of a file up to the first damaged one, such as one that was not written completely. */
export function placesIn(file: Buffer): RecordPlace[] {
  const places: RecordPlace[] = [];
  let offset = 0;
  while (offset + HEADER_BYTES <= file.length) {
    const end = offset + HEADER_BYTES + file.readUInt32LE(offset);
    // An empty payload does not exist: zeros are what a file system leaves where nothing was written before a loss of power.
    if (end > file.length || end === offset + HEADER_BYTES) break;
    if (crc32(file.subarray(offset + HEADER_BYTES, end)) !== file.readUInt32LE(offset + 4)) break;
    places.push({ offset, length: end - offset, textBytes: file.readUInt32LE(offset + 8) });
    offset = end;
  }
  return places;
}
