import { expect, it } from 'vitest';
import { serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

it('ingest lists ignored members of payloads where warnings are requested, and stores the rest', async () => {
  const [host, other] = [uniqueName('warned'), uniqueName('warned')];
  const payloads = [
    { host: other, metrics: { cpu_percent: 1 } },
    { host, metrics: { cpu_percent: 2 }, tag: { region: 'eu-1' } },
  ];
  const { status, body, headers } = await client.ingest(payloads, { prefer: 'warnings' });
  expect([status, headers.get('preference-applied')]).toEqual([200, 'warnings']);
  expect(body).toEqual({
    status: 'ok',
    events_accepted: 2,
    warnings: [
      {
        code: 'unknown_field',
        path: '/1/tag',
        payloads: 1,
        message: expect.stringContaining('Did you mean tags?'),
      },
    ],
  });
  expect(await serviceOf(client, host)).toMatchObject({ tags: {}, status: 'healthy' });
});

it('ingest returns an empty list of warnings where nothing is ignored, and no list where it is not requested', async () => {
  const payload = { host: uniqueName('warned'), metrics: { cpu_percent: 1 } };
  const asked = await client.ingest(payload, { prefer: 'handling=lenient, warnings' });
  expect(asked.body).toMatchObject({ status: 'ok', events_accepted: 1, warnings: [] });
  expect(asked.headers.get('preference-applied')).toBe('handling=lenient, warnings');
  const unasked = await client.ingest({ ...payload, tag: {} });
  expect(unasked.body).toEqual({ status: 'ok', events_accepted: 1 });
});
