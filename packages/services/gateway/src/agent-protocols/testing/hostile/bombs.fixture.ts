import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { varint } from '../../../testing/protobuf-bytes.fixture.ts';
import { FULL_BYTES, type HostileBody, MIB, randomBytes, repeated } from './hostile-body.fixture.ts';

const WRITE = { path: '/api/v1/write', type: 'application/x-protobuf', encoding: 'snappy' };
const OTLP = { path: '/v1/metrics', type: 'application/x-protobuf' };
const LINES = { path: '/api/v2/write?bucket=b', type: 'text/plain' };
const DATADOG = { path: '/datadog/api/v2/series', type: 'application/x-protobuf' };

const zeros = () => Buffer.alloc(256 * MIB);

/** A block of snappy that holds zeros: a literal, and copies of it. */
function snappyOfZeros(length: number): Buffer {
  const copies = repeated(Buffer.from([0xfe, 1, 0]), Math.floor((length - 1) / 64) * 3);
  return Buffer.concat([varint(1 + (copies.length / 3) * 64), Buffer.from([0, 0]), copies]);
}

/** Bodies that are much larger once they are decompressed, and such that cannot be compressed. */
export const BOMBS: readonly HostileBody[] = [
  { ...WRITE, name: 'snappy that declares 4 GiB', body: () => varint(2 ** 32 - 1), status: 400 },
  { ...WRITE, name: 'snappy of 64 MiB', body: () => snappyOfZeros(64 * MIB), status: 400 },
  { ...WRITE, name: 'zstd as snappy', body: () => zstdCompressSync(zeros()), status: 400 },
  { ...OTLP, name: 'a bomb', encoding: 'gzip', body: () => gzipSync(zeros()), status: 413 },
  { ...OTLP, name: 'a bomb', encoding: 'zstd', body: () => zstdCompressSync(zeros()), status: 413 },
  { ...LINES, name: 'a bomb', encoding: 'deflate', body: () => deflateSync(zeros()), status: 413 },
  { ...DATADOG, name: 'a bomb', encoding: 'br', body: () => brotliCompressSync(zeros()), status: 400 },
  ...(['gzip', 'zstd'] as const).map((encoding) => ({
    ...OTLP,
    name: 'random bytes',
    encoding,
    body: () => (encoding === 'gzip' ? gzipSync : zstdCompressSync)(randomBytes(FULL_BYTES)),
    status: 400,
  })),
];
