/** Eight tables of 256 entries: table k has the remainders of a byte that is followed by k zero bytes. */
const TABLES = makeTables();

/**
 * CRC-32 as in zlib, PNG and PostgreSQL's `crc32(bytea)`, of the bytes from `start` to `end`. It finds every change that
 * spans at most 32 bits. Below 300 bytes it takes less time than a call of zlib, and above that one nanosecond a byte.
 */
export function checksum(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let rest = -1;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const low =
      rest ^
      (byte(bytes, at) |
        (byte(bytes, at + 1) << 8) |
        (byte(bytes, at + 2) << 16) |
        (byte(bytes, at + 3) << 24));
    rest =
      entry(7, low & 0xff) ^
      entry(6, (low >>> 8) & 0xff) ^
      entry(5, (low >>> 16) & 0xff) ^
      entry(4, low >>> 24) ^
      entry(3, byte(bytes, at + 4)) ^
      entry(2, byte(bytes, at + 5)) ^
      entry(1, byte(bytes, at + 6)) ^
      entry(0, byte(bytes, at + 7));
  }
  for (; at < end; at += 1) rest = (rest >>> 8) ^ entry(0, (rest ^ byte(bytes, at)) & 0xff);
  return (rest ^ -1) >>> 0;
}

const byte = (bytes: Uint8Array, at: number): number => bytes[at] as number;

const entry = (table: number, index: number): number => TABLES[table * 256 + index] as number;

function makeTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let index = 0; index < 256; index += 1) {
    let rest = index;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    tables[index] = rest;
  }
  for (let at = 256; at < tables.length; at += 1) {
    const before = tables[at - 256] as number;
    tables[at] = (before >>> 8) ^ (tables[before & 0xff] as number);
  }
  return tables;
}
