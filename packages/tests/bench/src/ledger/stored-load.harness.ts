import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { transact } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { storeForFile, type TestStore } from '@tidewatch/harness/store';
import { appendLog } from '@tidewatch/store/sample-log/append-log';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { drawSeqs } from '@tidewatch/store/sample-log/seal-lock';
import { Sealer } from '@tidewatch/store/sample-log/sealer';
import { type Snapshot, writeSnapshots } from '@tidewatch/store/samples/write-snapshots';
import { appendSnapshots } from '@tidewatch/store/snapshots/packed/append-snapshots';
import { hostName, type Plan } from '../load/plan.ts';

export const ORGANIZATION = 'org_bench';
export const LAYOUTS = ['rows', 'log'] as const satisfies readonly SampleLayout[];

/** The values of a block at one time (ms), from its first slot on. */
export interface StoredValues {
  serviceId: string;
  block: number;
  time: number;
  values: readonly number[];
}

/** What a load has stored. */
export interface StoredLoad {
  samples: StoredValues[];
  snapshots: Snapshot[];
}

/** Opens a database of a layout with the hosts of a plan, of which `svc_0` is the first. */
export async function openLoadStore(layout: SampleLayout, plan: Plan): Promise<TestStore> {
  const store = await storeForFile({ organizations: [ORGANIZATION], max: 1, sampleLayout: layout });
  for (let host = 0; host < plan.hosts; host += 1)
    await store.sql`insert into services (organization_id, id, host, first_seen, status_since)
      values (${ORGANIZATION}, ${`svc_${host}`}, ${hostName(host)}, now(), now())`;
  const day = Math.floor(plan.startMs / DAY_MS) * DAY_MS;
  if (layout === 'rows')
    for (const relation of ['samples', 'snapshots'])
      await store.sql`select ensure_partition(${relation}, ${day}::timestamptz, ${day + DAY_MS}::timestamptz)`;
  return store;
}

/** Replaces what is stored; of a log the first half of the samples is sealed. */
export async function storeLoad(store: TestStore, layout: SampleLayout, load: StoredLoad): Promise<void> {
  const { sql } = store;
  await sql`truncate samples, snapshots, sample_log, sample_chunks, snapshot_log, snapshot_chunks, block_latest`;
  if (layout === 'rows') {
    for (const { block, time, values } of load.samples) {
      const slots = Object.fromEntries(values.map((value, slot) => [`v${slot}`, value]));
      await sql`insert into samples ${sql({ time, block_id: block, ...slots })}`;
    }
    await transact(sql, (tx) => writeSnapshots(tx, load.snapshots, new BinaryRows()));
    return;
  }
  const logged = load.samples.map(({ serviceId, block, time, values }) => ({
    organizationId: ORGANIZATION,
    serviceId,
    anchor: block,
    time,
    ids: [block],
    values: Array.from({ length: 16 }, (_, slot) => values[slot] ?? Number.NaN),
  }));
  const half = Math.floor(logged.length / 2);
  await transact(sql, (tx) => appendLog(tx, logged.slice(0, half)));
  await new Sealer({ sql, clock: () => Date.now() }).sealAll();
  await transact(sql, (tx) => appendLog(tx, logged.slice(half)));
  await transact(sql, async (tx) => {
    const [seq] = await drawSeqs(tx);
    await appendSnapshots(tx, seq as number, load.snapshots);
  });
}
