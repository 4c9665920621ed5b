import { type PartValues, splitSeriesKey } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { appendLog } from '@tidewatch/store/sample-log/append-log';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { drawSeqs } from '@tidewatch/store/sample-log/seal-lock';
import type { Snapshot } from '@tidewatch/store/samples/write-snapshots';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { appendSnapshots } from '@tidewatch/store/snapshots/packed/append-snapshots';

/** The age from which samples are stored in the table samples_backfill, ms. */
const RAW_MS = 7 * DAY_MS;

interface Target {
  organizationId: string;
  directory: ServiceDirectory;
  /** The server's clock, ms. */
  now: number;
}

/** Writes payloads as the writer does in either layout: tags, blocks, slots, samples and snapshots. */
export async function writeSampleRows(
  tx: Transaction,
  { organizationId, directory, now }: Target,
  payloads: readonly Payload[],
): Promise<void> {
  const isLog = (await readSampleLayout(tx)) === 'log';
  const samples: BlockSample[] = [];
  const snapshots: Snapshot[] = [];
  for (const payload of payloads) {
    const request = { organizationId, receivedAt: now, payloads: [payload] };
    await directory.ensure(tx, [request]);
    const [service] = directory.entriesOf(request);
    if (!service) continue;
    if (payload.tags) {
      service.tags = payload.tags;
      directory.touched(service);
      await tx`update services set tags = ${tx.json(payload.tags)} where id = ${service.serviceId}`;
    }
    const day = Math.floor(payload.time / DAY_MS) * DAY_MS;
    const table = payload.time < now - RAW_MS ? 'samples_backfill' : 'samples';
    await tx`select ensure_partition(${table}, ${day}::timestamptz, ${day + DAY_MS}::timestamptz)`;
    const { serviceId } = service;
    const { host, time } = payload;
    const at = { table, samples };
    await writeBlock(tx, organizationId, { serviceId, kind: 'host', name: host, ...at }, time, payload);
    for (const container of payload.containers ?? []) {
      const { name } = container;
      await writeBlock(
        tx,
        organizationId,
        { serviceId, kind: 'container', name, ...at },
        time,
        metricsOf(container),
      );
    }
    if (payload.parts) await writeParts(tx, organizationId, { serviceId, host, ...at }, time, payload.parts);
    const { containers, processes } = payload;
    if (!containers && !processes) continue;
    if (isLog) {
      snapshots.push({
        time,
        organizationId,
        serviceId,
        ...(containers && { containers }),
        ...(processes && { processes }),
      });
      continue;
    }
    await tx`select ensure_partition('snapshots', ${day}::timestamptz, ${day + DAY_MS}::timestamptz)`;
    const json = (list: readonly unknown[] | undefined) => (list ? tx.json(list as never) : null);
    await tx`insert into snapshots ("time", organization_id, service_id, containers, processes)
        values (${time}::timestamptz, ${organizationId}, ${serviceId}, ${json(containers)}, ${json(processes)})
        on conflict (organization_id, service_id, "time") do update set
          containers = coalesce(excluded.containers, snapshots.containers), processes = coalesce(excluded.processes, snapshots.processes)`;
  }
  const logged = samples.filter(({ table }) => isLog && table === 'samples');
  if (logged.length > 0)
    await appendLog(
      tx,
      logged.map(({ serviceId, blockId, time, values }) => ({
        organizationId,
        serviceId,
        anchor: blockId,
        time,
        ids: [blockId],
        values,
      })),
    );
  for (const sample of samples) if (!logged.includes(sample)) await writeRow(tx, sample);
  if (snapshots.length === 0) return;
  const [seq] = await drawSeqs(tx);
  await appendSnapshots(tx, seq as number, snapshots);
}

/** Values of a block at one time, NaN for slots without one. */
interface BlockSample {
  serviceId: string;
  table: string;
  blockId: number;
  time: number;
  values: Float64Array;
}

/** Where values are gathered, and the table that rows are written to. */
type Gathering = Pick<BlockSample, 'serviceId' | 'table'> & { samples: BlockSample[] };

function gather({ serviceId, table, samples }: Gathering, blockId: number, time: number): Float64Array {
  const values = new Float64Array(SLOTS_PER_BLOCK).fill(Number.NaN);
  samples.push({ serviceId, table, blockId, time, values });
  return values;
}

async function writeRow(tx: Transaction, { table, blockId, time, values }: BlockSample): Promise<void> {
  for (const [slot, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const column = tx.unsafe(`v${slot}`);
    await tx`insert into ${tx(table)} ("time", block_id, ${column}) values (${time}::timestamptz, ${blockId}, ${value})
        on conflict (block_id, "time") do update set ${column} = excluded.${column}`;
  }
}

/** Writes values of one subject at one time into its first block. */
async function writeBlock(
  tx: Transaction,
  organizationId: string,
  { kind, name, ...gathering }: Gathering & { kind: string; name: string },
  time: number,
  { metrics, values }: Pick<Payload, 'metrics' | 'values'>,
): Promise<void> {
  const [block] = await tx<
    { id: number }[]
  >`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
      values (${organizationId}, ${gathering.serviceId}, ${kind}, ${name}, 0)
      on conflict (organization_id, service_id, subject_kind, subject_name, ordinal) do update set ordinal = 0 returning id`;
  const gathered = gather(gathering, block?.id ?? 0, time);
  for (const [index, metric] of metrics.entries()) {
    await tx`update blocks set metrics = metrics || ${metric}::text
        where id = ${block?.id ?? 0} and ${metric} <> all(metrics)`;
    const [slot] = await tx<{ slot: number }[]>`
        select array_position(metrics, ${metric}) - 1 as slot from blocks where id = ${block?.id ?? 0}`;
    gathered[slot?.slot ?? 0] = values[index] as number;
  }
}

/** Writes the values of all parts of a payload into one block, and the parts with their labels. */
async function writeParts(
  tx: Transaction,
  organizationId: string,
  { host, ...gathering }: Gathering & { host: string },
  time: number,
  { shape, values }: PartValues,
): Promise<void> {
  const { serviceId } = gathering;
  const ids = new Map<string, number>();
  for (const [index, kind] of shape.kinds.entries()) {
    const name = shape.names[index] as string;
    const labels = shape.labels[index] ?? null;
    const [part] = await tx<{ id: number }[]>`
      insert into parts (organization_id, service_id, host, kind, name, labels)
      values (${organizationId}, ${serviceId}, ${host}, ${kind}, ${name}, ${tx.json(labels ?? {})})
      on conflict (organization_id, service_id, kind, name) do update
        set labels = case when ${labels !== null} then excluded.labels else parts.labels end
      returning id`;
    ids.set(partSubject(kind, name), part?.id ?? 0);
  }
  const [block] = await tx<{ id: number }[]>`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
    values (${organizationId}, ${serviceId}, 'part', '', 0)
    on conflict (organization_id, service_id, subject_kind, subject_name, ordinal) do update set ordinal = 0 returning id`;
  const blockId = block?.id ?? 0;
  const gathered = gather(gathering, blockId, time);
  for (const [place, key] of shape.keys.entries()) {
    const { subject, metric } = splitSeriesKey(key);
    const part = ids.get(subject) ?? 0;
    const find = () => tx<{ slot: number }[]>`
      select m.place::int - 1 as slot from blocks b cross join lateral unnest(b.metrics, b.parts) with ordinality as m (metric, part, place)
      where b.id = ${blockId} and m.metric = ${metric} and m.part = ${part}`;
    let [slot] = await find();
    if (slot === undefined) {
      await tx`update blocks set metrics = metrics || ${metric}::text, parts = parts || ${part}::integer where id = ${blockId}`;
      [slot] = await find();
    }
    gathered[slot?.slot ?? 0] = values[place] as number;
  }
}
