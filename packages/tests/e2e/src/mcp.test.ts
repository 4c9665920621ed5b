import { connectMcp, type McpClient } from '@tidewatch/harness/mcp/mcp-client';
import { openForFile, openForTest } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { createClient, inOwnOrganization, seconds, uniqueName } from './client.ts';
import { enact, endedInvestigation, investigationOf } from './investigations/incident.ts';
import { openTarget } from './target.ts';

const MAX_BYTES = 8_192;

const target = await openForFile(openTarget());
const own = await inOwnOrganization(target);
const client = createClient(own);

/** Connects with a new key of this scope. */
async function connect(scope: string): Promise<McpClient> {
  const body = { name: uniqueName('assistant'), scopes: [scope] };
  const { secret } = await client.expect(201, 'POST', '/keys', body);
  return openForFile(connectMcp(target.url, secret));
}

const [reader, writer] = [await connect('read'), await connect('write')];
const incident = await enact(client, { trouble: true });

describe('an assistant', () => {
  /** Calls a tool, and expects an answer of bounded size. */
  async function read(name: string, given?: Record<string, unknown>) {
    const { body, bytes, isError } = await reader.call(name, given);
    expect([isError, bytes <= MAX_BYTES], `${name}: ${JSON.stringify(body)}`).toEqual([false, true]);
    return body;
  }

  test('follows an alert to the evidence of its cause', async () => {
    await endedInvestigation(client, await investigationOf(client, incident.alert.id));
    expect((await read('get_overview')).alerts).toMatchObject({ total: 1 });
    const { alerts } = await read('list_alerts', { severity: 'critical' });
    expect(alerts).toMatchObject([{ id: incident.alert.id, host: incident.host }]);
    const found = await read('get_investigation', { investigation_id: alerts[0].investigation_id });
    expect(found).toMatchObject({ status: 'completed', conclusion: 'root_cause_found' });
    const cause = found.findings.find(
      ({ id }: { id: string }) => id === found.analysis.root_cause_finding_id,
    );
    expect(cause.subject).toEqual({ kind: 'process', name: 'runaway-job' });
    const [id] = cause.evidence_ids;
    expect(found.evidence_ids).toContain(id);
    const { evidence } = await read('get_evidence', { investigation_id: found.id, evidence_id: id });
    expect(evidence).toMatchObject({ id, query: expect.any(String), stats: expect.any(Object) });
  });

  test('reads hosts, their parts and processes, and metrics over time', async () => {
    const { services } = await read('list_hosts', { q: incident.host });
    expect(services).toMatchObject([{ name: incident.host, active_alerts: { critical: 1 } }]);
    const service_id = services[0].id;
    expect(await read('get_host', { service_id })).toMatchObject({
      metrics: { cpu_percent: expect.any(Number) },
    });
    expect((await read('get_processes', { service_id })).processes.list).toContainEqual(
      expect.objectContaining({ name: 'runaway-job' }),
    );
    const range = { from: incident.at(-120), to: incident.at(1) };
    const { series, columns } = await read('query_host_metrics', {
      service_id,
      metrics: ['cpu_percent'],
      ...range,
    });
    expect(columns).toEqual(['t', 'avg', 'min', 'max']);
    expect(series[0].points.length).toBeGreaterThan(20);
    const busiest = await read('query_metric', { metric: 'cpu_percent', top: 2, ...range });
    expect(busiest.series).toHaveLength(2);
    expect((await read('list_metrics', { q: 'cpu' })).metrics).toMatchObject([{ name: 'cpu_percent' }]);
    for (const [tool, given] of [
      ['list_parts', {}],
      ['list_host_changes', { service_id }],
      ['get_alert', { alert_id: incident.alert.id }],
      ['get_alert_evidence', { alert_id: incident.alert.id }],
      ['list_investigations', { host: incident.host }],
      ['list_rules', {}],
      ['list_silences', {}],
    ] as const)
      expect(await read(tool, given)).toEqual(expect.any(Object));
  });

  test('handles the alert with a key that may write, and is named in the audit log', async () => {
    const { id } = incident.alert;
    const refused = await reader.call('acknowledge_alert', { alert_id: id });
    expect(refused).toMatchObject({ isError: true, body: { error: 'scope_missing' } });
    const done = await writer.call('acknowledge_alert', {
      alert_id: id,
      comment: 'runaway-job is being ended',
    });
    expect(done.body).toMatchObject({ id, comments: [{ text: 'runaway-job is being ended' }] });
    const alert = await client.expect(200, 'GET', `/alerts/${id}`);
    const { audit } = await client.expect(200, 'GET', `/audit?object_id=${id}`);
    expect(audit[0]).toMatchObject({
      action: 'alert.acknowledged',
      actor: { key_id: alert.acknowledged_by.key_id },
    });
    const silence = { matchers: { hosts: [incident.host] }, from: seconds(-1), until: seconds(600) };
    const { body } = await writer.call('create_silence', silence);
    expect(await client.expect(200, 'GET', `/silences/${body.id}`)).toMatchObject({ status: 'active' });
  });

  test('of another organization sees nothing of it, by either revision of the protocol', async () => {
    const { key } = await inOwnOrganization(target);
    for (const revision of ['newest', '2025'] as const) {
      const other = await openForTest(connectMcp(target.url, key, revision));
      expect((await other.call('list_hosts')).body).toMatchObject({ services: [], total: 0 });
      const found = await other.call('get_alert', { alert_id: incident.alert.id });
      expect(found).toMatchObject({ isError: true, body: { error: 'not_found' } });
    }
  });
});
