const REVERSED_POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ REVERSED_POLYNOMIAL : value >>> 1;
  return value;
});

/** The checksum CRC-32C (Castagnoli) of the bytes from `start` up to `end`, as an unsigned number of 32 bits. */
export function crc32c(bytes: Buffer, start: number, end: number): number {
  let value = 0xffff_ffff;
  for (let at = start; at < end; at += 1)
    value = (TABLE[(value ^ (bytes[at] as number)) & 0xff] as number) ^ (value >>> 8);
  return ~value >>> 0;
}
