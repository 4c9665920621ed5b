import { beforeAll, describe, expect, test } from 'vitest';
import { CONTAINERS, companyOf, containerName, containerValues } from '../load/company.ts';
import { planOf } from '../load/plan.fixture.ts';
import { timeOf } from '../load/plan.ts';
import { recountCompany } from './recount-company.ts';
import {
  LAYOUTS,
  ORGANIZATION,
  openLoadStore,
  type StoredLoad,
  type StoredValues,
  storeLoad,
} from './stored-load.harness.ts';

const plan = planOf({ hosts: 2, ticks: 3, connections: 1, payloadsPerRequest: 1, rich: true });
const ledger = { acknowledged: [5], sent: [5] };
const TICKS = [3, 2]; // two whole ticks, and the third one of host 0

const stores = new Map(
  await Promise.all(LAYOUTS.map(async (layout) => [layout, await openLoadStore(layout, plan)] as const)),
);

describe.each(LAYOUTS)('in the layout %s', (layout) => {
  const store = stores.get(layout) as NonNullable<ReturnType<typeof stores.get>>;
  /** The blocks of containers by host and container. */
  const blocks: number[][] = [];

  beforeAll(async () => {
    for (let host = 0; host < plan.hosts; host += 1) {
      const own: number[] = [];
      for (let index = 0; index < CONTAINERS; index += 1) {
        const [block] = await store.sql<{ id: number }[]>`
          insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
          values (${ORGANIZATION}, ${`svc_${host}`}, 'container', ${containerName(index)}, 0, '{cpu_percent,memory_usage}')
          returning id`;
        own.push(block?.id ?? 0);
      }
      blocks.push(own);
    }
  });

  function acknowledgedLoad(): StoredLoad {
    const load: StoredLoad = { samples: [], snapshots: [] };
    for (let host = 0; host < plan.hosts; host += 1)
      for (let tick = 0; tick < (TICKS[host] ?? 0); tick += 1) {
        const [serviceId, time] = [`svc_${host}`, timeOf(plan, host, tick)];
        for (let index = 0; index < CONTAINERS; index += 1) {
          const { cpu_percent, memory_usage } = containerValues(host, tick, index);
          const block = blocks[host]?.[index] ?? 0;
          load.samples.push({ serviceId, block, time, values: [cpu_percent, memory_usage] });
        }
        const { docker_containers, processes } = JSON.parse(`{${companyOf(host, tick)}}`);
        load.snapshots.push({
          organizationId: ORGANIZATION,
          serviceId,
          time,
          containers: docker_containers,
          processes,
        });
      }
    return load;
  }

  test('the recount of containers and processes agrees with the payloads that were acknowledged', async () => {
    await storeLoad(store, layout, acknowledgedLoad());
    expect(await recountCompany(store.sql, plan, ledger)).toEqual({
      containerRows: 25,
      snapshots: 5,
      differences: [],
    });
  });

  test.each<[string, (load: StoredLoad) => void, string]>([
    ['a container without a row', ({ samples }) => samples.shift(), '24 rows of containers'],
    ['another value', ({ samples }) => change(samples[0]), 'altered: container service-0'],
    ['a snapshot too few', ({ snapshots }) => snapshots.pop(), '4 snapshots for 5 payloads'],
    [
      'another process',
      ({ snapshots }) => Object.assign(snapshots[4]?.processes?.[3] ?? {}, { pid: 7 }),
      'altered: snapshot',
    ],
    [
      'a time that was never sent',
      ({ snapshots }) => Object.assign(snapshots[4] ?? {}, { time: timeOf(plan, 1, 1) + 1_000 }),
      'unexpected: snapshot',
    ],
  ])('finds %s', async (_name, spoil, sentence) => {
    const load = acknowledgedLoad();
    spoil(load);
    await storeLoad(store, layout, load);
    const { differences } = await recountCompany(store.sql, plan, ledger);
    expect(differences.join('\n')).toContain(sentence);
  });
});

function change(sample: StoredValues | undefined): void {
  if (sample !== undefined) sample.values = sample.values.with(1, (sample.values[1] ?? 0) + 1);
}
