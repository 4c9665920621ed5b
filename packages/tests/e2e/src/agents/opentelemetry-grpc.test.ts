import { fileURLToPath } from 'node:url';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import { isGiven, openGrpcTarget } from '../target.ts';
import { adapt, blockOf, startAgent, variablesOf } from './real-agent.ts';

const SENDER = fileURLToPath(new URL('host-metrics-sender.ts', import.meta.url));

test.skipIf(isGiven)(
  'an application with the SDK of OpenTelemetry for Node shows its host by gRPC, by the variables of the guide',
  async () => {
    const { target, grpcPort: port } = await openGrpcTarget();
    await openForTest(target);
    const own = await inOwnOrganization(target);
    const client = createClient(own);
    const host = uniqueName('otel');
    const usual = adapt(blockOf('opentelemetry-sdks.md', 'sh'), {
      'tw_…': own.key,
      'web-01': host,
      '=10000': '=2000',
    });
    const ofGrpc = adapt(blockOf('opentelemetry-sdks.md', 'sh', 1), {
      'https://monitor.example:4317': `http://127.0.0.1:${port}`,
    });
    const env = { ...variablesOf(usual), ...variablesOf(ofGrpc) };
    const sender = await openForTest(startAgent(process.execPath, [SENDER], folderForTest(), env));

    const metrics = async () => {
      const { id } = await serviceOf(client, host);
      const detail = await client.expect(200, 'GET', `/services/${id}`);
      return (detail as { metrics: Record<string, number> }).metrics;
    };
    await expect
      .poll(() => metrics().catch(() => null), { ...SEEN, timeout: 60_000 })
      .toMatchObject({ cpu_percent: expect.any(Number), memory_percent: expect.any(Number) });
    expect(sender.log()).toBe('');
  },
);
