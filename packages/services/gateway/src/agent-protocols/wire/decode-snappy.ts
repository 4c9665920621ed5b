import * as zlib from 'node:zlib';
import { BodyTooLargeError } from './body-too-large-error.ts';
import { MalformedBodyError } from './malformed-body-error.ts';
import { decodedLength, decodeSnappyBlock } from './snappy-block.ts';
import { decodeSnappyStream, isSnappyStream } from './snappy-stream.ts';

const ZSTD = 0xfd2fb528;

/** Limits the window to 32 MiB, since a frame may ask for up to 2 GiB. */
const ZSTD_PARAMS = { [zlib.constants.ZSTD_d_windowLogMax]: 25 };

function decodeZstd(bytes: Buffer, maxLength: number): Buffer {
  try {
    const options = { maxOutputLength: Math.max(1, maxLength), params: ZSTD_PARAMS, info: true };
    const { buffer, engine } = zlib.zstdDecompressSync(bytes, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (engine.bytesWritten === bytes.length) return buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw BodyTooLargeError.ofLength(maxLength);
  }
  throw new MalformedBodyError(
    'The body is said to be snappy, begins like zstd, and is no whole zstd frame.',
  );
}

/**
 * Decompresses a body whose content encoding is said to be snappy, to at most `maxLength` bytes. Senders mean three things by
 * it: one block (Prometheus), a framed stream (OpenTelemetry Collectors before 0.160), and zstd (vmagents that send what an
 * earlier run of theirs has queued). A block is decoded into what `allocate` returns for its length. Throws `BodyTooLargeError` or
 * `MalformedBodyError`.
 */
export function decodeSnappy(
  bytes: Buffer,
  maxLength: number,
  allocate: (length: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  if (isSnappyStream(bytes)) return decodeSnappyStream(bytes, maxLength);
  // As the beginning of a block these bytes would state a length and then a copy from before the content.
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === ZSTD) return decodeZstd(bytes, maxLength);
  return decodeSnappyBlock(bytes, maxLength, allocate);
}

/** How many bytes such a body has at most once it is decompressed, known before anything is. Throws as `decodeSnappy`. */
export function maxDecodedLength(bytes: Buffer, maxLength: number): number {
  const isBlock = !isSnappyStream(bytes) && !(bytes.length >= 4 && bytes.readUInt32LE(0) === ZSTD);
  return isBlock ? decodedLength(bytes, 0, bytes.length, maxLength) : maxLength;
}
