import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import { openTarget } from '../target.ts';
import type { HostDetail } from './native-host.ts';
import { expectAlike, startOwnAgent } from './own-agent.ts';
import { adapt, blockOf, SDK_SENDER, startAgent, variablesOf } from './real-agent.ts';

test('an application with the SDK of OpenTelemetry for Node shows its host and itself, by the variables of the guide', async () => {
  const target = await openForTest(openTarget());
  const own = await inOwnOrganization(target);
  const client = createClient(own);
  const host = uniqueName('otel');
  const variables = adapt(blockOf('opentelemetry-sdks.md', 'sh'), {
    'https://monitor.example': own.url,
    'tw_…': own.key,
    'web-01': host,
    '=10000': '=2000',
  });
  const env = variablesOf(variables);
  const ownHost = await startOwnAgent(own);
  const sender = await openForTest(startAgent(process.execPath, [SDK_SENDER], folderForTest(), env));

  const detail = async () =>
    (await client.expect(200, 'GET', `/services/${(await serviceOf(client, host)).id}`)) as HostDetail;
  const service = async () => {
    const { parts } = await detail();
    return Object.assign({}, ...parts.filter(({ kind }) => kind === 'service').map(({ metrics }) => metrics));
  };
  await expect
    .poll(async () => (await detail().catch(() => null))?.metrics, { ...SEEN, timeout: 60_000 })
    .toMatchObject({
      cpu_percent: expect.any(Number),
      memory_percent: expect.any(Number),
      network_receive_bytes_per_second: expect.any(Number),
    });
  await expect.poll(service, { ...SEEN, timeout: 30_000 }).toMatchObject({
    orders_per_second: expect.any(Number),
    'checkout.duration_count_per_second': expect.any(Number),
    'checkout.duration_mean': 20,
  });
  await expectAlike(client, host, ownHost, ['cpu_percent', 'memory_percent']);
  const { parts } = await detail();
  expect(parts.map(({ kind, name }) => `${kind}:${name}`)).toContain('service:checkout,payment=card');
  expect(parts.find(({ kind }) => kind === 'agent')?.metrics.rejected_points).toBe(0);
  expect(sender.log()).toBe('');
});
