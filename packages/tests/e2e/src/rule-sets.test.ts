import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { SEEN, seconds, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

const made = new Set<string>();
afterEach(async () => {
  for (const id of made) await client.ask('DELETE', `/alerts/rules/${id}`);
  made.clear();
});

const MIGRATION = fileURLToPath(new URL('../../../../docs/migration.md', import.meta.url));
const YAML = { 'content-type': 'application/yaml' };

async function apply(text: string) {
  const { status, body } = await client.ask('PUT', '/alerts/rules', text, YAML);
  expect(status, JSON.stringify(body)).toBe(200);
  for (const id of body.created) made.add(id);
  return body;
}

describe('rules as code', () => {
  const name = uniqueName('e2e-set');
  const metric = name.replaceAll('-', '_');
  const rulesOf = (threshold: number) => `
rules:
  - external_id: ${name}/one   # what the file knows it by
    name: One of ${name}
    metric: ${metric}
    condition: greater_than
    threshold: ${threshold}
    duration_minutes: 0
  - external_id: ${name}/two
    name: Two of ${name}
    metric: ${metric}
    condition: less_than
    threshold: -1
    duration_minutes: 0
`;
  const alertsOf = async (rule: string) =>
    (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${rule}`)).alerts;

  test('a set of rules is applied, evaluates samples, changes nothing when applied again, and is edited', async () => {
    const { created } = await apply(rulesOf(90));
    const [one, two] = created;
    const nothing = { created: [], updated: [], unchanged: [], deleted: [] };
    expect(await apply(rulesOf(90))).toEqual({ ...nothing, unchanged: created });
    const host = uniqueName('e2e-set-host');
    // Polls, because in the distributed topology a rule applies within two seconds.
    await expect
      .poll(async () => {
        await client.ingest({ host, timestamp: seconds(0), metrics: { [metric]: 95 } });
        return (await alertsOf(one)).map((alert: { status: string }) => alert.status);
      }, SEEN)
      .toEqual(['active']);
    expect(await alertsOf(two)).toEqual([]);
    expect(await apply(rulesOf(99))).toEqual({ ...nothing, updated: [one], unchanged: [two] });
    await expect
      .poll(async () => {
        await client.ingest({ host, timestamp: seconds(0), metrics: { [metric]: 95 } });
        return (await alertsOf(one)).map((alert: { status: string }) => alert.status);
      }, SEEN)
      .toEqual(['resolved']);
  });

  test('exported rules are applied without a change', async () => {
    const { created } = await apply(rulesOf(80));
    const answer = await client.ask('GET', '/alerts/rules?format=yaml');
    expect(answer.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    const [, first = ''] = answer.body.split(`- external_id: ${name}/one\n`);
    const own = first.slice(0, first.indexOf(`- external_id: ${name}/two`));
    expect(own).toContain(`  name: One of ${name}\n  metric: ${metric}\n`);
    const again = await apply(`rules:\n- external_id: ${name}/one\n${own}`);
    expect(again).toEqual({ created: [], updated: [], unchanged: [created[0]], deleted: [] });
  });

  test('a rule set with a fault changes nothing', async () => {
    const broken = rulesOf(90).replace('threshold: -1', 'threshold: high');
    const { status, body } = await client.ask('PUT', '/alerts/rules', broken, YAML);
    expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      ['/rules/1/threshold'],
    ]);
    expect((await client.ask('GET', '/alerts/rules?format=yaml')).body).not.toContain(name);
  });

  test('the rules that the guide for other systems prints are applied', async () => {
    const [, printed = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(readFileSync(MIGRATION, 'utf8')) ?? [];
    const { created } = await apply(printed);
    expect(created).toHaveLength(printed.match(/external_id/g)?.length as number);
    expect((await apply(printed)).unchanged).toEqual(created);
  });

  test('the starter rules are installed once', async () => {
    const first = await client.expect(200, 'POST', '/alerts/rules/starter');
    for (const id of first.created) made.add(id);
    const again = await client.expect(200, 'POST', '/alerts/rules/starter');
    expect([again.created, again.unchanged.length]).toEqual([
      [],
      first.created.length + first.unchanged.length,
    ]);
    const exported = (await client.ask('GET', '/alerts/rules?format=yaml')).body;
    expect(exported.match(/external_id: starter\//g)).toHaveLength(again.unchanged.length);
  });
});
