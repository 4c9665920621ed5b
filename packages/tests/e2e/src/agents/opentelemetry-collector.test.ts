import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, uniqueName } from '../client.ts';
import { isGiven, openGrpcTarget, openTarget } from '../target.ts';
import { nativeHost } from './native-host.ts';
import { expectAlike, startOwnAgent } from './own-agent.ts';
import { adapt, blockOf, findBuiltAgent, startAgent, variablesOf } from './real-agent.ts';

const collector = findBuiltAgent('otelcol', 'the OpenTelemetry Collector');
const GUIDE = 'opentelemetry-collector.md';
const BY_HTTP = blockOf(GUIDE, 'yaml');
const [, HTTP_EXPORTER = ''] = /^exporters:\n([\s\S]*?)(?=^service:)/m.exec(BY_HTTP) ?? [];
const GRPC_EXPORTER = blockOf(GUIDE, 'yaml', 1).replace('exporters:\n', '');
const COMPLAINT = /\t(?:warn|error|fatal|panic)\t|partial success/i;
const OPERATION = 'its host as a native agent does, by the configuration of its guide';

/** Starts the Collector beside our own agent, and compares what both show. */
async function check(configuration: string, own: { url: string; key: string }): Promise<void> {
  const client = createClient(own);
  const host = uniqueName('collector');
  const folder = folderForTest();
  const config = join(folder, 'collector.yaml');
  writeFileSync(config, adapt(configuration, { 'collection_interval: 10s': 'collection_interval: 2s' }));
  const variables = variablesOf(adapt(blockOf(GUIDE, 'sh'), { 'tw_…': own.key, 'web-01': host }));
  const ownHost = await startOwnAgent(own);
  const agent = await openForTest(startAgent(collector as string, ['--config', config], folder, variables));
  await nativeHost(client, host);
  await expectAlike(client, host, ownHost);
  expect(agent.log()).toContain('Everything is ready');
  // Where the tests run in a container, its advice is right: the guide gives it as well.
  const lines = agent.log().split('\n');
  const complaints = lines.filter(
    (line) => COMPLAINT.test(line) && !line.includes('No `root_path` config set'),
  );
  expect(complaints).toEqual([]);
}

test.skipIf(collector === undefined)(
  `[needs the OpenTelemetry Collector] by HTTP the Collector shows ${OPERATION}`,
  async () => {
    const target = await openForTest(openTarget());
    const own = await inOwnOrganization(target);
    await check(adapt(BY_HTTP, { 'https://monitor.example': own.url }), own);
  },
);

test.skipIf(collector === undefined || isGiven)(
  `[needs the OpenTelemetry Collector] by gRPC the Collector shows ${OPERATION}`,
  async () => {
    const { target, grpcPort: port } = await openGrpcTarget();
    await openForTest(target);
    const own = await inOwnOrganization(target);
    // As the guide says for a port without a certificate.
    const exporter = adapt(GRPC_EXPORTER, {
      'monitor.example:4317': `127.0.0.1:${port}\n    tls: { insecure: true }`,
    });
    await check(adapt(BY_HTTP, { [HTTP_EXPORTER]: exporter, '[otlp_http]': '[otlp_grpc]' }), own);
  },
);
