import * as zlib from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, sample } from '../testing/gateway.harness.ts';

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.stored.length = 0;
});

const LINE = `${JSON.stringify(sample())}\n`;
const PADDED = `${JSON.stringify(sample()).padEnd(300_000, ' ')}\n`;
/** A body that does not compress well, so that a thread decompresses it. */
const NOISE = `${JSON.stringify(sample('a', { noise: crypto.getRandomValues(Buffer.alloc(24_000)).toString('hex') }))}\n`;

function send(encoding: string, parts: readonly Uint8Array[]) {
  const headers = { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': encoding };
  return gateway.ingest(new Uint8Array(Buffer.concat(parts)), headers);
}

describe('a body of several compressed frames', () => {
  it.each([
    ['gzip', zlib.gzipSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const)('of %s is decompressed to all of them', async (encoding, compress) => {
    for (const lines of [
      [LINE, LINE, LINE],
      [PADDED, LINE, PADDED],
      [NOISE, LINE, NOISE],
    ]) {
      const { answer } = await send(
        encoding,
        lines.map((line) => compress(line)),
      );
      expect(answer).toEqual({ status: 'ok', events_accepted: 3 });
    }
  });

  it('of zstd may have skippable frames, which are skipped', async () => {
    const skippable = Uint8Array.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const { answer } = await send('zstd', [skippable, zlib.zstdCompressSync(LINE), skippable]);
    expect(answer).toEqual({ status: 'ok', events_accepted: 1 });
  });

  it('of zstd is limited in its total size and in the number of frames', async () => {
    const frame = zlib.zstdCompressSync(Buffer.alloc(6 * 1024 * 1024, ' '));
    expect((await send('zstd', [frame, frame, frame])).status).toBe(413);
    const empty = zlib.zstdCompressSync('');
    const { status, answer } = await send('zstd', Array(1_001).fill(empty));
    expect([status, answer.errors.map(({ code }) => code)]).toEqual([422, ['invalid_encoding']]);
  });
});

const fault = (message: string) => ({ in: 'body', path: '', code: 'invalid_encoding', message });

describe('a compressed body with trailing bytes', () => {
  it.each([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
  ] as const)('of %s is answered 422, and nothing is stored', async (encoding, compress) => {
    for (const line of [LINE, NOISE]) {
      const { status, answer } = await send(encoding, [compress(line), Buffer.from('garbage')]);
      expect([status, answer.errors]).toEqual([
        422,
        [fault(`Is not one whole body of ${encoding}, as Content-Encoding says.`)],
      ]);
    }
    expect(gateway.stored).toEqual([]);
  });
});
