import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import express from 'express';
import { expect, test } from 'vitest';
import { compressAnswers } from './compress.ts';
import { sendTagged } from './entity-tag.ts';

const LARGE = { text: 'alert '.repeat(1_000) };
const router = express.Router();
router.use(compressAnswers());
router.get('/large', (request, response) => sendTagged(request, response, LARGE, 7));
router.get('/small', (request, response) => sendTagged(request, response, { text: 'x' }, 7));
router.get('/lines', (_request, response) => {
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  response.end(`${JSON.stringify(LARGE)}\n`);
});
router.get('/events', (_request, response) => {
  response.setHeader('Content-Type', 'text/event-stream');
  response.end(`data: ${LARGE.text}\n\n`);
});
const app = createApp({
  routers: [router],
  endpoints: [],
  logger: createSilentLogger(),
  metrics: createMetrics(),
});
const server = await openForFile(listen({ app, host: '127.0.0.1', port: 0 }));

async function read(path: string, headers: Record<string, string>) {
  const [response] = (await once(get(server.url + path, { headers }), 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) };
}

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('%s for those who ask, with a weak tag that is recognised', async (encoding, inflate) => {
  for (const path of ['/large', '/lines']) {
    const { headers, body } = await read(path, { 'accept-encoding': encoding });
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
    expect(JSON.parse(inflate(body).toString())).toEqual(LARGE);
    expect(body.length).toBeLessThan(1_000);
  }
  const { headers } = await read('/large', { 'accept-encoding': encoding });
  expect(headers.etag).toMatch(/^W\/"7-/);
  const again = await read('/large', { 'accept-encoding': encoding, 'if-none-match': headers.etag ?? '' });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test('small bodies, event streams and requests without Accept-Encoding are not compressed', async () => {
  const encoding = async (path: string, headers: Record<string, string>) =>
    (await read(path, headers)).headers['content-encoding'];
  expect(await encoding('/small', { 'accept-encoding': 'gzip' })).toBeUndefined();
  expect(await encoding('/events', { 'accept-encoding': 'gzip' })).toBeUndefined();
  expect(await encoding('/large', {})).toBeUndefined();
  expect(await encoding('/large', { 'accept-encoding': 'identity' })).toBeUndefined();
  expect((await read('/large', {})).headers.etag).toMatch(/^"7-/);
});
