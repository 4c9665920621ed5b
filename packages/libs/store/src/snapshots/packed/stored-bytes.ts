import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';

/** Fewer bytes are not compressed, since a call of zstd takes 30 µs whatever their number. */
const MIN_COMPRESSED_BYTES = 1_024;
/** The first byte of a zstd frame, which is no version of a pack. */
const ZSTD_MAGIC = 0x28;

/** Compresses a pack, where it has enough bytes: at level 1 for the log, whose rows live for minutes, at level 3 for chunks. */
export function toStoredBytes(packed: Buffer, level: 1 | 3): Buffer {
  if (packed.length < MIN_COMPRESSED_BYTES) return packed;
  const compressed = zstdCompressSync(packed, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  return compressed.length < packed.length ? compressed : packed;
}

/** Returns the pack that was stored. Throws MalformedBytesError for damaged bytes. */
export function fromStoredBytes(stored: Buffer): Buffer {
  if (stored[0] !== ZSTD_MAGIC) return stored;
  try {
    return zstdDecompressSync(stored);
  } catch (error) {
    throw new MalformedBytesError('compressed bytes are damaged', { cause: error });
  }
}
