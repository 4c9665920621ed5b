import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { PART_METRICS, partName, partValues } from '../load/parts.ts';
import { planOf } from '../load/plan.fixture.ts';
import { hostName, timeOf } from '../load/plan.ts';
import { recountParts } from './recount-parts.ts';

const PARTS = 2;
const plan = planOf({ hosts: 2, ticks: 3, connections: 1, payloadsPerRequest: 1, rich: true, parts: PARTS });
const ledger = { acknowledged: [5], sent: [5] };
const TICKS = [3, 2]; // two whole ticks, and the third one of host 0

const ORGANIZATION = 'org_bench';
const store = await storeForFile({ organizations: [ORGANIZATION], max: 1 });
beforeAll(async () => {
  await store.sql.unsafe(
    `create table samples_of_test partition of samples for values from ('2023-01-01') to ('2024-01-01')`,
  );
});

beforeEach(async () => {
  const { sql } = store;
  await sql`truncate services, service_names, service_tags, service_counts, parts, blocks, samples restart identity cascade`;
  for (let host = 0; host < plan.hosts; host += 1) {
    const service = `svc_${host}`;
    await sql`insert into services (organization_id, id, host, first_seen, status_since)
      values (${ORGANIZATION}, ${service}, ${hostName(host)}, now(), now())`;
    const ids: number[] = [];
    for (let index = 0; index < PARTS; index += 1) {
      const [part] = await sql<{ id: number }[]>`
        insert into parts (organization_id, service_id, host, kind, name, labels)
        values (${ORGANIZATION}, ${service}, ${hostName(host)}, 'filesystem', ${partName(index)}, '{}') returning id`;
      ids.push(part?.id ?? 0);
    }
    const slots = ids.flatMap((id) => PART_METRICS.map((metric) => ({ id, metric })));
    const [block] = await sql<{ id: number }[]>`
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
      values (${ORGANIZATION}, ${service}, 'part', '', 0, ${slots.map(({ metric }) => metric)}, ${slots.map(({ id }) => id)})
      returning id`;
    for (let tick = 0; tick < (TICKS[host] ?? 0); tick += 1) {
      const values = [0, 1].flatMap((index) => partValues(host, tick, index));
      const row = Object.fromEntries(values.map((value, slot) => [`v${slot}`, value]));
      await sql`insert into samples ${sql({ time: timeOf(plan, host, tick), block_id: block?.id ?? 0, ...row })}`;
    }
  }
});

test('the recount of parts agrees with the payloads that were acknowledged', async () => {
  expect(await recountParts(store.sql, plan, ledger)).toEqual({ rows: 5, numbers: 50, differences: [] });
});

test.each([
  [
    'a row too few',
    'delete from samples where ctid in (select ctid from samples limit 1)',
    '40 numbers of parts',
  ],
  ['another value', 'update samples set v6 = v6 + 1', 'altered: /srv/volume-1 used_bytes'],
  [
    'a time that was never sent',
    `update samples set "time" = "time" + interval '1 second'`,
    'unexpected: block',
  ],
])('finds %s', async (_name, change, sentence) => {
  await store.sql.unsafe(change);
  const { differences } = await recountParts(store.sql, plan, ledger);
  expect(differences.join('\n')).toContain(sentence);
});
