import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTidewatch } from './start-tidewatch.ts';

let server: Server;
let answer: { status: number; body: object };
const asked: { path: string | undefined; key: unknown }[] = [];

beforeEach(async () => {
  asked.length = 0;
  server = createServer((request, response) => {
    asked.push({ path: request.url, key: request.headers['x-api-key'] });
    response.writeHead(answer.status).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('TIDEWATCH_TEST_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv('TIDEWATCH_TEST_KEY', 'operator-key');
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.close();
});

test('startTidewatch creates a separate organization in the Tidewatch that the environment names', async () => {
  answer = { status: 201, body: { key: { secret: 'tw_own' } } };
  const tidewatch = await startTidewatch();
  expect(asked).toEqual([{ path: '/api/v1/organizations', key: 'operator-key' }]);
  expect(tidewatch).toMatchObject({ key: 'tw_own', url: expect.stringMatching(/:\d+$/) });
  await tidewatch.stop();
  expect(asked).toHaveLength(1);
});

test('startTidewatch names the missing scope of a key that may not create organizations', async () => {
  answer = { status: 403, body: { code: 'missing_scope' } };
  await expect(startTidewatch()).rejects.toThrow(
    /403 .*missing_scope.*has to be a key with the scope operator/,
  );
});

test('startTidewatch refuses a running Tidewatch without a key, and settings for a running Tidewatch', async () => {
  await expect(startTidewatch({ settings: { TIDEWATCH_RULES_LIMIT: '1' } })).rejects.toThrow(
    'cannot be changed on a running Tidewatch',
  );
  vi.stubEnv('TIDEWATCH_TEST_KEY', '');
  await expect(startTidewatch()).rejects.toThrow('set TIDEWATCH_TEST_KEY');
  expect(asked).toEqual([]);
});
