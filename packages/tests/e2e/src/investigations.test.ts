import { openForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, SEEN, uniqueName } from './client.ts';
import { enact, endedInvestigation, investigationOf } from './investigations/incident.ts';
import { openTarget } from './target.ts';

const FLOCK = 12;
/** Of so many hosts on which a rule fires within ten minutes each has an investigation of its own. */
const INVESTIGATED = 10;

const target = await openForFile(openTarget());
const client = createClient(await inOwnOrganization(target));
const incident = await enact(client, { trouble: true });

const whole = (id: string) => client.expect(200, 'GET', `/investigations/${id}`);

const ended = (id: string) => endedInvestigation(client, id);

test('an alert is investigated, and the process that took the processor is named with its evidence', async () => {
  const id = await investigationOf(client, incident.alert.id);
  const found = await ended(id);
  expect(found).toMatchObject({
    status: 'completed',
    conclusion: 'root_cause_found',
    host: incident.host,
    severity: 'critical',
    alert_ids: [incident.alert.id],
  });
  const cause = found.findings.find(
    (finding: { id: string }) => finding.id === found.analysis.root_cause_finding_id,
  );
  expect(cause.subject).toEqual({ kind: 'process', name: 'runaway-job' });
  const kept = new Map(found.evidence.map((piece: { id: string }) => [piece.id, piece]));
  for (const { evidence_ids: ids } of found.findings) {
    expect(ids.length).toBeGreaterThan(0);
    for (const piece of ids) expect(kept.get(piece)).toMatchObject({ query: expect.any(String) });
  }
  expect(found.timeline.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['pending', 'fired']),
  );
  expect(Date.parse(found.completed_at)).toBeGreaterThanOrEqual(Date.parse(found.started_at));
});

test('the findings of an investigation do not change afterwards', async () => {
  const before = await ended(await investigationOf(client, incident.alert.id));
  const late = { host: incident.host, timestamp: incident.at(-3), metrics: { [incident.metric]: 1 } };
  expect((await client.ingest(late)).status).toBe(200);
  expect(await whole(before.id)).toEqual(before);
});

test('further alerts of a host join its investigation', async () => {
  const first = await investigationOf(client, incident.alert.id);
  const more = await enact(client, { of: incident });
  expect(await investigationOf(client, more.alert.id)).toBe(first);
  const joined = [incident.alert.id, more.alert.id];
  expect((await whole(first)).alert_ids).toEqual(expect.arrayContaining(joined));
});

test('a requested investigation ends, and a queued one can be cancelled', async () => {
  const body = { service_id: incident.alert.service_id, from: incident.at(-60), to: incident.at(0) };
  const asked: { id: string }[] = [];
  for (let index = 0; index < 4; index += 1)
    asked.push(await client.expect(202, 'POST', '/investigations', { ...body, question: `Why ${index}?` }));
  const last = asked.at(-1)?.id ?? '';
  const answer = await client.ask('POST', `/investigations/${last}/cancel`);
  const final = await ended(last);
  // On an idle machine the investigation may have ended before the request.
  expect([answer.status, final.status]).toEqual(
    answer.status === 200 ? [200, 'cancelled'] : [409, 'completed'],
  );
  for (const { id } of asked.slice(0, -1)) expect((await ended(id)).status).toBe('completed');
});

test('of the hosts on which a rule fires at once ten are investigated, and the others share the first', async () => {
  const metric = uniqueName('flock').replaceAll('-', '_');
  const rule = await client.expect(201, 'POST', '/alerts/rules', {
    name: metric,
    metric,
    condition: 'greater_than',
    threshold: 0,
    duration_minutes: 0,
    severity: 'warning',
  });
  const hosts = Array.from({ length: FLOCK }, (_, index) => `${metric}-${index}`);
  const fired = async () => {
    await client.ingest(hosts.map((host) => ({ host, metrics: { [metric]: 1 } })));
    const page = await client.expect(200, 'GET', `/alerts?status=all&rule_id=${rule.id}`);
    return page.alerts.length;
  };
  await expect.poll(fired, { interval: 1_000 }).toBe(FLOCK);
  const { alerts } = await client.expect(200, 'GET', `/alerts?status=all&rule_id=${rule.id}`);
  const ids = await Promise.all(alerts.map(({ id }: { id: string }) => investigationOf(client, id)));
  const distinct = [...new Set(ids)];
  expect(distinct).toHaveLength(INVESTIGATED);
  const records = await Promise.all(distinct.map((id) => ended(id)));
  for (const record of records)
    expect(record).toMatchObject({ status: 'completed', conclusion: 'inconclusive' });
  const shared = records.filter(({ storm_alerts }) => storm_alerts > 0);
  expect(shared.map(({ storm_alerts }) => storm_alerts)).toEqual([FLOCK - INVESTIGATED]);
  await client.expect(204, 'DELETE', `/alerts/rules/${rule.id}`);
  await expect.poll(async () => (await client.ask('GET', '/investigations?limit=1')).status, SEEN).toBe(200);
});
