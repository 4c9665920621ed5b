import { hostileBodies } from '@tidewatch/harness/hostile-bodies';
import { expect, test } from 'vitest';
import { serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

test('hostile bodies are answered with a 4xx and never a 5xx, and valid requests beside them are stored', async () => {
  const host = uniqueName('e2e-hostile');
  const bodies = hostileBodies(host, Date.now());
  expect(new Set(bodies.map((body) => body.name)).size).toBeGreaterThan(5);
  for (const [index, { name, encoding, bytes, valid }] of bodies.entries()) {
    const [answer, neighbour] = await Promise.all([
      client.ingest(bytes, { 'Content-Encoding': encoding }),
      client.ingest({ host: `${host}-neighbour`, metrics: { a: index } }),
    ]);
    expect(neighbour.status, `beside ${name}`).toBe(200);
    if (valid) expect(answer.status, `${name}, ${encoding}`).toBe(200);
    else expect([413, 422], `${name}, ${encoding}`).toContain(answer.status);
  }
  const { id } = await serviceOf(client, `${host}-neighbour`);
  const metric = async () => (await client.expect(200, 'GET', `/services/${id}`)).metrics.a;
  await expect.poll(metric).toBe(bodies.length - 1);
});
