import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const api = await openForFile(openApi());

interface Raw {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** Requests a path and returns the body without decompressing it. */
function raw(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(api.url + path, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) });
    }).on('error', reject);
  });
}

it.each(['/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/problems'])(
  'the static body %s is the same in every encoding, and is compressed once',
  async (path) => {
    const plain = await raw(path);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const [br, gzip] = [
      await raw(path, { 'Accept-Encoding': 'gzip, deflate, br' }),
      await raw(path, { 'Accept-Encoding': 'gzip' }),
    ];
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(br.headers['vary']).toContain('Accept-Encoding');
    expect(br.headers['etag']).toBe(`W/${plain.headers['etag']}`);
    const again = await raw(path, { 'Accept-Encoding': 'br', 'If-None-Match': String(br.headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  },
);

it.each([
  '/api/v1/alerts/',
  '//api/v1/alerts',
  '/api//v1/alerts',
  '/api/v1//alerts',
  '/API/v1/alerts',
  '/api/v1/Alerts',
  '/api/v1/%61lerts',
  '/api/v1%2Falerts',
  '/api/v1/alerts%20',
  '/api/v1/alerts/rules/%73tarter',
  '/openapi.json/',
  '/Docs',
  '/problems/%6eot_found',
])('%s is no other spelling of a path', async (path) => {
  const { status, headers, bytes } = await raw(path, { 'X-API-Key': 'admin' });
  expect([status, headers['content-type']]).toEqual([
    404,
    expect.stringMatching('^application/problem.json'),
  ]);
  expect(JSON.parse(bytes.toString()).code).toBe('not_found');
});
