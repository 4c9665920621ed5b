import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Encoding } from './content-encoding.ts';

/** Smaller bodies are decompressed synchronously, which costs less than a stream and a thread. */
const IN_PLACE_WIRE_BYTES = 16 * 1024;
const IN_PLACE_INFLATED_BYTES = 256 * 1024;
/** Limits the window to 32 MiB, since a zstd frame may ask for up to 2 GiB. */
const ZSTD_PARAMS = { [zlib.constants.ZSTD_d_windowLogMax]: 25 };

/** The max number of frames in a body, which bounds the cost of many small frames; no body has more payloads. */
const MAX_FRAMES = BOUNDS.payloads;

type Compressed = Exclude<Encoding, 'identity'>;

/** The result of a zlib call with `info`: the decompressed bytes, and the number of bytes that were read. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}
type Inflate<R> = (bytes: Buffer, options: { maxOutputLength: number; info: boolean }) => R;

/** `deflate` means the zlib format, but some clients send raw deflate under that name. */
function isZlib(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

const IN_PLACE = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: (bytes, options) => zlib.zstdDecompressSync(bytes, { ...options, params: ZSTD_PARAMS }),
  deflate: (bytes, options) => (isZlib(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, options),
} satisfies Record<Compressed, Inflate<Buffer>> as unknown as Record<Compressed, Inflate<Inflated>>;

const zstd = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);
const inflateZlib = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

const BESIDE = {
  gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  zstd: (bytes, options) => zstd(bytes, { ...options, params: ZSTD_PARAMS }),
  deflate: (bytes, options) => (isZlib(bytes) ? inflateZlib : inflateRaw)(bytes, options),
} satisfies Record<Compressed, Inflate<Promise<Buffer>>> as unknown as Record<
  Compressed,
  Inflate<Promise<Inflated>>
>;

/**
 * Decompresses all frames of a body. zlib stops at the end of a stream: for zstd, the following frame belongs to the body;
 * for br and deflate, further bytes are an error. Members of gzip are joined by zlib itself.
 */
async function inflateAll(
  bytes: Buffer,
  encoding: Compressed,
  inflateOne: Inflate<Inflated | Promise<Inflated>>,
  limit: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for (let rest = bytes; rest.length > 0; ) {
    if (parts.length === MAX_FRAMES)
      throw new Error(`The compressed body has more than ${MAX_FRAMES} frames`);
    const maxOutputLength = Math.max(1, limit - size);
    const { buffer, engine } = await inflateOne(rest, { maxOutputLength, info: true });
    parts.push(buffer);
    size += buffer.length;
    if (encoding === 'gzip') break;
    rest = rest.subarray(engine.bytesWritten);
    if (rest.length > 0 && encoding !== 'zstd')
      throw new Error('The body has bytes after the end of the compressed stream');
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE';
}

function problemOf(error: unknown, encoding: Compressed): ProblemError {
  if (isTooLarge(error)) {
    return new ProblemError('payload_too_large', {
      detail: `The body is limited to ${BOUNDS.inflatedBytes} bytes inflated.`,
    });
  }
  const message = `Is not one whole body of ${encoding}, as Content-Encoding says.`;
  const fault = { in: 'body', path: '', code: 'invalid_encoding', message } as const;
  return new ProblemError('validation_failed', { errors: [fault], cause: error });
}

/** Whether a body is decompressed in a thread of libuv. */
function inflatesBeside(bytes: Buffer): boolean {
  return bytes.length > IN_PLACE_WIRE_BYTES;
}

/**
 * Decompresses a body. Rejects with the 413 once the output exceeds 16 MiB, and with a 422 if the bytes are invalid,
 * truncated or followed by others. Before decompressing, waits for `reserve` of the memory that the body may need.
 */
export async function inflate(
  bytes: Buffer,
  encoding: Encoding,
  reserve: (bytes: number) => Promise<void>,
): Promise<Buffer> {
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  if (bytes.length < 2) throw problemOf(null, encoding);
  try {
    if (!inflatesBeside(bytes))
      return await inflateAll(bytes, encoding, IN_PLACE[encoding], IN_PLACE_INFLATED_BYTES);
  } catch (error) {
    if (!isTooLarge(error)) throw problemOf(error, encoding);
  }
  await reserve(BOUNDS.inflatedBytes);
  try {
    return await inflateAll(bytes, encoding, BESIDE[encoding], BOUNDS.inflatedBytes);
  } catch (error) {
    throw problemOf(error, encoding);
  }
}
