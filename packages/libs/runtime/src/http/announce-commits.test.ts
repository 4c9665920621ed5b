import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { CommitSignal } from '../process/commit-signal.ts';
import { announceCommits } from './announce-commits.ts';

test('requests that may change something are announced to each listener once they are answered, reads are not', async () => {
  const commits = new CommitSignal();
  const announced: string[] = [];
  commits.onCommit(() => announced.push('relay'));
  commits.onCommit(() => announced.push('evaluator'));
  const app = express().use(announceCommits(commits));
  app.all('/', (_request, response) => {
    response.end(`${announced.length}`);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ask = async (method: string) => (await fetch(url, { method })).text();
    expect(await ask('POST')).toBe('0');
    await expect.poll(() => announced).toEqual(['relay', 'evaluator']);
    expect(await ask('GET')).toBe('2');
    await ask('HEAD');
    expect(await ask('DELETE')).toBe('2');
    await expect.poll(() => announced.length).toBe(4);
  } finally {
    server.close();
  }
});
