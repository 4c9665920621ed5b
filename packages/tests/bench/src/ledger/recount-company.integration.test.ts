import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { CONTAINERS, companyOf, containerName, containerValues } from '../load/company.ts';
import { planOf } from '../load/plan.fixture.ts';
import { hostName, timeOf } from '../load/plan.ts';
import { recountCompany } from './recount-company.ts';

const plan = planOf({ hosts: 2, ticks: 3, connections: 1, payloadsPerRequest: 1, rich: true });
const ledger = { acknowledged: [5], sent: [5] };
const TICKS = [3, 2]; // two whole ticks, and the third one of host 0

const ORGANIZATION = 'org_bench';
const store = await storeForFile({ organizations: [ORGANIZATION], max: 1 });
beforeAll(async () => {
  await store.sql.unsafe(`
    create table samples_of_test partition of samples for values from ('2023-01-01') to ('2024-01-01');
    create table snapshots_of_test partition of snapshots for values from ('2023-01-01') to ('2024-01-01')`);
});

beforeEach(async () => {
  const { sql } = store;
  await sql`truncate services, service_names, service_tags, service_counts, blocks, samples, snapshots restart identity cascade`;
  for (let host = 0; host < plan.hosts; host += 1) {
    const service = `svc_${host}`;
    await sql`insert into services (organization_id, id, host, first_seen, status_since)
      values (${ORGANIZATION}, ${service}, ${hostName(host)}, now(), now())`;
    for (let index = 0; index < CONTAINERS; index += 1) {
      const [block] = await sql<{ id: number }[]>`
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
        values (${ORGANIZATION}, ${service}, 'container', ${containerName(index)}, 0, '{cpu_percent,memory_usage}') returning id`;
      const id = block?.id ?? 0;
      for (let tick = 0; tick < (TICKS[host] ?? 0); tick += 1) {
        const { cpu_percent, memory_usage } = containerValues(host, tick, index);
        await sql`insert into samples ("time", block_id, v0, v1)
          values (${timeOf(plan, host, tick)}, ${id}, ${cpu_percent}, ${memory_usage})`;
      }
    }
    for (let tick = 0; tick < (TICKS[host] ?? 0); tick += 1) {
      const sent = JSON.parse(`{${companyOf(host, tick)}}`);
      await sql`insert into snapshots ("time", organization_id, service_id, containers, processes)
        values (${timeOf(plan, host, tick)}, ${ORGANIZATION}, ${service}, ${sql.json(sent.docker_containers)}, ${sql.json(sent.processes)})`;
    }
  }
});

test('the recount of containers and processes agrees with the payloads that were acknowledged', async () => {
  expect(await recountCompany(store.sql, plan, ledger)).toEqual({
    containerRows: 25,
    snapshots: 5,
    differences: [],
  });
});

test.each([
  [
    'a container without a row',
    'delete from samples where ctid in (select ctid from samples limit 1)',
    '24 rows of containers',
  ],
  ['another value', 'update samples set v1 = v1 + 1', 'altered: container service-0'],
  ['a snapshot too few', "delete from snapshots where service_id = 'svc_1'", '3 snapshots for 5 payloads'],
  [
    'another process',
    `update snapshots set processes = jsonb_set(processes, '{3,pid}', '7') where service_id = 'svc_1'`,
    'altered: snapshot',
  ],
  [
    'a time that was never sent',
    `update snapshots set "time" = "time" + interval '1 second' where service_id = 'svc_1'`,
    'unexpected: snapshot',
  ],
])('finds %s', async (_name, change, sentence) => {
  await store.sql.unsafe(change);
  const { differences } = await recountCompany(store.sql, plan, ledger);
  expect(differences.join('\n')).toContain(sentence);
});
