import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { recordPart } from '@tidewatch/harness/parts/report';
import { findPythonProgram } from '@tidewatch/harness/parts/virtual-environment';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import { openTarget } from '../target.ts';
import type { HostDetail } from './native-host.ts';
import { expectAlike, startOwnAgent } from './own-agent.ts';
import { adapt, blockOf, startAgent, variablesOf } from './real-agent.ts';

const own = (name: string) => fileURLToPath(new URL(`../../opentelemetry/${name}`, import.meta.url));
const GUIDE = 'opentelemetry-sdks.md';
const python = findPythonProgram('python', 'opentelemetry-sdk', own('requirements.txt'));
recordPart({ ...python, name: "OpenTelemetry's SDK for Python" });

test.skipIf(python.state === 'lacked')(
  "[needs OpenTelemetry's SDK for Python] an application with the SDK for Python shows its host and itself, by the lines and variables of the guide",
  async () => {
    const target = await openForTest(openTarget());
    const organization = await inOwnOrganization(target);
    const client = createClient(organization);
    const host = uniqueName('python');
    const variables = adapt(blockOf(GUIDE, 'sh'), {
      'https://monitor.example': organization.url,
      'tw_…': organization.key,
      'web-01': host,
      '=10000': '=2000',
    });
    const folder = folderForTest();
    const file = join(folder, 'application.py');
    writeFileSync(file, blockOf(GUIDE, 'python') + readFileSync(own('application.py'), 'utf8'));
    const { program } = python.state === 'lacked' ? { program: '' } : python.address;
    const ownHost = await startOwnAgent(organization);
    const application = await openForTest(startAgent(program, [file], folder, variablesOf(variables)));

    const detail = async () =>
      (await client.expect(200, 'GET', `/services/${(await serviceOf(client, host)).id}`)) as HostDetail;
    await expect
      .poll(async () => (await detail().catch(() => null))?.metrics, { ...SEEN, timeout: 60_000 })
      .toMatchObject({
        cpu_percent: expect.any(Number),
        memory_percent: expect.any(Number),
        disk_read_bytes_per_second: expect.any(Number),
        network_receive_bytes_per_second: expect.any(Number),
      });
    const service = async () => {
      const own = (await detail()).parts.filter(({ kind }) => kind === 'service');
      return Object.assign({}, ...own.map(({ metrics }) => metrics));
    };
    await expect.poll(service, { ...SEEN, timeout: 30_000 }).toMatchObject({
      orders_per_second: expect.any(Number),
      'checkout.duration_count_per_second': expect.any(Number),
      'checkout.duration_mean': 20,
    });
    await expectAlike(client, host, ownHost, ['cpu_percent', 'memory_percent']);
    const { parts } = await detail();
    expect(parts.map(({ kind, name }) => `${kind}:${name}`)).toContain('service:checkout,payment=card');
    expect(parts.find(({ kind }) => kind === 'agent')?.metrics.rejected_points).toBe(0);
    expect(application.log()).toBe('');
  },
);
