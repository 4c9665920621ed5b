import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { ProblemError } from '@tidewatch/contracts/problem';
import { BOUNDS } from '@tidewatch/contracts/sample';
import type { Encoding } from './request-form.ts';

/** Small bodies are inflated in place: a stream and a thread cost more than they do. */
const IN_PLACE_WIRE_BYTES = 16 * 1024;
const IN_PLACE_INFLATED_BYTES = 256 * 1024;
/** A zstd frame may ask for a window of up to 2 GiB; this is 32 MiB. */
const ZSTD_PARAMS = { [zlib.constants.ZSTD_d_windowLogMax]: 25 };

type Compressed = Exclude<Encoding, 'identity'>;
type Inflate<R> = (bytes: Buffer, maxOutputLength: number) => R;

/** `deflate` means the zlib format, but clients send raw deflate under that name, too. */
function isZlib(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

const IN_PLACE: Record<Compressed, Inflate<Buffer>> = {
  gzip: (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { maxOutputLength, params: ZSTD_PARAMS }),
  deflate: (bytes, maxOutputLength) =>
    isZlib(bytes)
      ? zlib.inflateSync(bytes, { maxOutputLength })
      : zlib.inflateRawSync(bytes, { maxOutputLength }),
};

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstd = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);
const inflateZlib = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

const BESIDE: Record<Compressed, Inflate<Promise<Buffer>>> = {
  gzip: (bytes, maxOutputLength) => gunzip(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => brotli(bytes, { maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zstd(bytes, { maxOutputLength, params: ZSTD_PARAMS }),
  deflate: (bytes, maxOutputLength) => (isZlib(bytes) ? inflateZlib : inflateRaw)(bytes, { maxOutputLength }),
};

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE';
}

function problemOf(error: unknown): ProblemError {
  if (isTooLarge(error)) {
    return new ProblemError('payload_too_large', {
      detail: `The body is limited to ${BOUNDS.inflatedBytes} bytes inflated.`,
    });
  }
  const fault = { in: 'body', path: '', code: 'invalid_encoding', message: 'Cannot be inflated.' } as const;
  return new ProblemError('validation_failed', { errors: [fault], cause: error });
}

/** Whether inflating may take a thread and up to the limit of memory. */
export function inflatesBeside(bytes: Buffer): boolean {
  return bytes.length > IN_PLACE_WIRE_BYTES;
}

/**
 * Undoes the content encoding. Rejects with the 413 once the output passes 16 MiB, however small the input,
 * and with a 422 where the bytes are not what the encoding says or end too early.
 */
export async function inflate(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  if (bytes.length < 2) throw problemOf(null);
  try {
    if (!inflatesBeside(bytes)) return IN_PLACE[encoding](bytes, IN_PLACE_INFLATED_BYTES);
  } catch (error) {
    if (!isTooLarge(error)) throw problemOf(error);
  }
  try {
    return await BESIDE[encoding](bytes, BOUNDS.inflatedBytes);
  } catch (error) {
    throw problemOf(error);
  }
}
