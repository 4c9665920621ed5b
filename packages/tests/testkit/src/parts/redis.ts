import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis, startRedis } from '@tidewatch/stack/parts/redis-server';
import { KEPT, type OpenPart } from './part.ts';

/** Where suites reach Redis or Valkey. */
export interface RedisAddress {
  url: string;
}

/** The server of `TIDEWATCH_TEST_REDIS_URL`, else one of our own. */
export async function openRedisPart(): Promise<OpenPart<RedisAddress>> {
  const given = process.env.TIDEWATCH_TEST_REDIS_URL;
  if (given) return { part: { state: 'given', address: { url: given }, detail: given }, close: KEPT };
  const found = findRedis();
  if (!found) return { part: { state: 'lacked', detail: 'no valkey-server, no redis-server' }, close: KEPT };
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-redis-'));
  const server = await startRedis({ command: found.command, home });
  return {
    part: { state: 'started', address: { url: server.url }, detail: found.version },
    close: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
