import { expect, test } from 'vitest';
import { SEEN, seconds, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

interface Traced {
  stored_at: string | null;
  evaluated_at: string | null;
}

const RECEIPT = { prefer: 'return=representation' };

test('a receipt reports when each record was stored and evaluated', async () => {
  const hosts = Array.from({ length: 20 }, () => uniqueName('receipt'));
  const before = Date.now();
  const payloads = hosts.map((host) => ({ host, timestamp: seconds(0), metrics: { cpu_percent: 1 } }));
  const { status, body, headers } = await client.ingest(payloads, RECEIPT);
  expect([status, body.events_accepted, headers.get('preference-applied')]).toEqual([
    ...[200, 20, 'return=representation'],
  ]);
  const { id, records } = body.receipt;
  expect(id).toMatch(/^rcp_[0-9a-f]{32}$/);
  const trace = () => client.expect(200, 'GET', `/ingest/receipts/${id}`);
  await expect
    .poll(
      async () => (await trace()).records.every((record: Traced) => record.stored_at && record.evaluated_at),
      SEEN,
    )
    .toBe(true);
  const traced = await trace();
  expect(traced).toMatchObject({ id, accepted_at: expect.any(String) });
  expect(traced.records).toMatchObject(records);
  for (const { stored_at, evaluated_at, dead_lettered, ...place } of traced.records) {
    expect(place.transaction ?? `${place.topic} ${place.partition} ${place.offset}`).toMatch(
      /^\d+$|tidewatch\.samples \d+ \d+$/,
    );
    expect(dead_lettered).toBeNull();
    for (const at of [stored_at, evaluated_at]) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before - 1_000);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now() + 1_000);
    }
  }
});

test('there is no receipt unless one is requested, and an unknown one is 404', async () => {
  const { body, headers } = await client.ingest({ host: uniqueName('receipt'), metrics: {} });
  expect([body, headers.get('preference-applied')]).toEqual([{ status: 'ok', events_accepted: 1 }, null]);
  for (const id of [`rcp_${'0'.repeat(32)}`, 'rcp_none'])
    expect((await client.ask('GET', `/ingest/receipts/${id}`)).status).toBe(404);
});
