import { crc32 } from 'node:zlib';

/**
 * The format version: the first byte of every record of Tidewatch. Version 2 is for samples with parts of hosts or counts of processes, so that a program
 * that only reads version 1 refuses them rather than reads them wrongly; all other records are of version 1.
 */
export const RECORD_VERSION = 1;
export const RECORD_VERSION_WITH_PARTS = 2;
const HEADER = 5;

/** The bytes are not a record of Tidewatch: another program wrote them, or they were changed. */
export class CorruptRecordError extends Error {
  override name = 'CorruptRecordError';
}

/** Puts the version and a CRC-32 before the contents, since Kafka's client checks no checksum. */
export function seal(contents: Uint8Array, version = RECORD_VERSION): Buffer {
  const record = Buffer.allocUnsafe(HEADER + contents.length);
  record[0] = version;
  record.writeUInt32LE(crc32(contents), 1);
  record.set(contents, HEADER);
  return record;
}

/** Checks a record and returns its contents without copying them. Throws CorruptRecordError. */
export function unseal(record: Buffer | null): Buffer {
  if (record === null || record.length < HEADER) throw new CorruptRecordError('the record is too short');
  if (record[0] !== RECORD_VERSION && record[0] !== RECORD_VERSION_WITH_PARTS) {
    throw new CorruptRecordError(
      `the record has version ${record[0]}, and this program reads versions ${RECORD_VERSION} and ${RECORD_VERSION_WITH_PARTS}`,
    );
  }
  const contents = record.subarray(HEADER);
  if (crc32(contents) !== record.readUInt32LE(1))
    throw new CorruptRecordError('the checksum of the record is wrong');
  return contents;
}

/** Identifies a record by the CRC-32 of all its bytes, 0 to 2^32 - 1. */
export function fingerprint(record: Buffer | null): number {
  return record === null ? 0 : crc32(record);
}
