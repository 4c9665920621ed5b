import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { LiveReads } from '../process/live-reads.ts';
import { awaitLiveRows } from './await-live-rows.ts';

test('a request is answered from the live rows that were held back until it came', async () => {
  const reads = new LiveReads();
  const rows: string[] = [];
  reads.serve(async () => {
    await new Promise(setImmediate);
    rows.push('written');
  });
  const app = express().use('/api', awaitLiveRows(reads));
  app.get('*path', (_request, response) => void response.end(rows.join()));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const ask = async (path: string) =>
      (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text();
    expect([await ask('/metrics'), await ask('/api/services')]).toEqual(['', 'written']);
  } finally {
    server.close();
  }
});
