import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForFile, openForFile } from '@tidewatch/harness/opened';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import express from 'express';
import { expect, test } from 'vitest';
import { compressAnswers } from '../http/compress.ts';
import { addDownloadRoutes, DOWNLOAD_ENDPOINTS } from './download-routes.ts';

const folder = join(folderForFile(), 'built');
const PACKAGE = Buffer.alloc(300_000, 'package');

async function serve(directory: string | null) {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(compressAnswers());
  addDownloadRoutes(router, directory);
  const app = createApp({
    routers: [router],
    endpoints: DOWNLOAD_ENDPOINTS,
    logger: createSilentLogger(),
    metrics: createMetrics(),
  });
  return listen({ app, host: '127.0.0.1', port: 0 });
}

const built = await openForFile(serve(folder));
const without = await openForFile(serve(null));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'tidewatch-agent-linux-x64.deb'), PACKAGE);
writeFileSync(join(folder, 'SHA256SUMS'), 'sums\n');
writeFileSync(join(folder, '.hidden'), 'hidden');
writeFileSync(join(folder, '../outside'), 'outside');

test('serves the script that installs the agent without a key', async () => {
  const answer = await fetch(`${built.url}/install.sh`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/x-shellscript; charset=utf-8',
  ]);
  expect(await answer.text()).toMatch(/^#!\/bin\/sh\n/);
});

test('serves packages as they are, with their size, and the sums as text', async () => {
  const url = `${built.url}/downloads/tidewatch-agent-linux-x64.deb`;
  const answer = await fetch(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '300000',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(PACKAGE.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000']);
  expect(await (await fetch(`${built.url}/downloads/SHA256SUMS`)).text()).toBe('sums\n');
});

test.each(['tidewatch-agent-linux-arm64.deb', '.hidden', 'x'.repeat(200)])(
  'answers 404 with what to do for the file %s',
  async (name) => {
    const answer = await fetch(`${built.url}/downloads/${name}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('build:agent'),
    });
  },
);

test.each(['..%2Foutside', '%2e%2e%2foutside'])('answers 404 for %s, outside of the folder', async (name) => {
  const answer = await fetch(`${built.url}/downloads/${name}`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'not_found' });
});

test('answers 404 with what to do where no folder of packages is named', async () => {
  const answer = await fetch(`${without.url}/downloads/SHA256SUMS`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('TIDEWATCH_DOWNLOADS_DIR') });
});
