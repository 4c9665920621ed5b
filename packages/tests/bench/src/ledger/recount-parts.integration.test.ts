import { beforeAll, describe, expect, test } from 'vitest';
import { PART_METRICS, partName, partValues } from '../load/parts.ts';
import { planOf } from '../load/plan.fixture.ts';
import { hostName, timeOf } from '../load/plan.ts';
import { recountParts } from './recount-parts.ts';
import {
  LAYOUTS,
  ORGANIZATION,
  openLoadStore,
  type StoredLoad,
  type StoredValues,
  storeLoad,
} from './stored-load.harness.ts';

const PARTS = 2;
const plan = planOf({ hosts: 2, ticks: 3, connections: 1, payloadsPerRequest: 1, rich: true, parts: PARTS });
const ledger = { acknowledged: [5], sent: [5] };
const TICKS = [3, 2]; // two whole ticks, and the third one of host 0

const stores = new Map(
  await Promise.all(LAYOUTS.map(async (layout) => [layout, await openLoadStore(layout, plan)] as const)),
);

describe.each(LAYOUTS)('in the layout %s', (layout) => {
  const store = stores.get(layout) as NonNullable<ReturnType<typeof stores.get>>;
  const blocks: number[] = [];

  beforeAll(async () => {
    const { sql } = store;
    for (let host = 0; host < plan.hosts; host += 1) {
      const service = `svc_${host}`;
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
      blocks.push(block?.id ?? 0);
    }
  });

  function acknowledgedLoad(): StoredLoad {
    const samples = blocks.flatMap((block, host) =>
      Array.from({ length: TICKS[host] ?? 0 }, (_, tick): StoredValues => {
        const values = [0, 1].flatMap((index) => partValues(host, tick, index));
        return { serviceId: `svc_${host}`, block, time: timeOf(plan, host, tick), values };
      }),
    );
    return { samples, snapshots: [] };
  }

  test('the recount of parts agrees with the payloads that were acknowledged', async () => {
    await storeLoad(store, layout, acknowledgedLoad());
    expect(await recountParts(store.sql, plan, ledger)).toEqual({ rows: 5, numbers: 50, differences: [] });
  });

  test.each<[string, (samples: StoredValues[]) => void, string]>([
    ['a row too few', (samples) => samples.shift(), '40 numbers of parts'],
    ['another value', (samples) => change(samples[0]), 'altered: /srv/volume-1 used_bytes'],
    [
      'a time that was never sent',
      (samples) => Object.assign(samples[4] ?? {}, { time: timeOf(plan, 1, 1) + 1_000 }),
      'unexpected: block',
    ],
  ])('finds %s', async (_name, spoil, sentence) => {
    const load = acknowledgedLoad();
    spoil(load.samples);
    await storeLoad(store, layout, load);
    const { differences } = await recountParts(store.sql, plan, ledger);
    expect(differences.join('\n')).toContain(sentence);
  });
});

function change(sample: StoredValues | undefined): void {
  if (sample !== undefined) sample.values = sample.values.with(6, (sample.values[6] ?? 0) + 1);
}
