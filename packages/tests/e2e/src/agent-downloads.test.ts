import { expect, test } from 'vitest';
import { openScenario } from './scenario.ts';
import { isGiven } from './target.ts';

const { target } = await openScenario({
  TIDEWATCH_DOWNLOADS_DIR: '/nonexistent',
  TIDEWATCH_MCP: 'off',
});

test('the script that installs the agent is served without a key, and changes nothing without an address', async () => {
  const answer = await fetch(`${target.url}/install.sh`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('sha256sum --check');
});

test.skipIf(isGiven)('a download answers with what to do while no package was built', async () => {
  const answer = await fetch(`${target.url}/downloads/SHA256SUMS`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('npm run build:agent'),
  });
});

test.skipIf(isGiven)('nothing answers assistants with TIDEWATCH_MCP=off', async () => {
  const headers = { 'X-API-Key': target.key, 'Content-Type': 'application/json' };
  const answer = await fetch(`${target.url}/mcp`, { method: 'POST', headers, body: '{}' });
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
});
