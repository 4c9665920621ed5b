import { type PartValues, splitSeriesKey } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';

/** The age from which samples are stored in the table samples_backfill, ms. */
const RAW_MS = 7 * DAY_MS;

interface Target {
  organizationId: string;
  directory: ServiceDirectory;
  /** The server's clock, ms. */
  now: number;
}

/** Writes the rows of payloads as the writer does: tags, blocks, slots, samples and snapshots. */
export async function writeSampleRows(
  tx: Transaction,
  { organizationId, directory, now }: Target,
  payloads: readonly Payload[],
): Promise<void> {
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
    await writeBlock(tx, organizationId, { serviceId, kind: 'host', name: host, table }, time, payload);
    for (const container of payload.containers ?? []) {
      const { name } = container;
      await writeBlock(
        tx,
        organizationId,
        { serviceId, kind: 'container', name, table },
        time,
        metricsOf(container),
      );
    }
    if (payload.parts) await writeParts(tx, organizationId, { serviceId, host, table }, time, payload.parts);
    const { containers, processes } = payload;
    if (!containers && !processes) continue;
    await tx`select ensure_partition('snapshots', ${day}::timestamptz, ${day + DAY_MS}::timestamptz)`;
    const json = (list: readonly unknown[] | undefined) => (list ? tx.json(list as never) : null);
    await tx`insert into snapshots ("time", organization_id, service_id, containers, processes)
        values (${time}::timestamptz, ${organizationId}, ${serviceId}, ${json(containers)}, ${json(processes)})
        on conflict (organization_id, service_id, "time") do update set
          containers = coalesce(excluded.containers, snapshots.containers), processes = coalesce(excluded.processes, snapshots.processes)`;
  }
}

/** Writes values of one subject at one time into its first block. */
async function writeBlock(
  tx: Transaction,
  organizationId: string,
  { serviceId, kind, name, table }: { serviceId: string; kind: string; name: string; table: string },
  time: number,
  { metrics, values }: Pick<Payload, 'metrics' | 'values'>,
): Promise<void> {
  const [block] = await tx<
    { id: number }[]
  >`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
      values (${organizationId}, ${serviceId}, ${kind}, ${name}, 0)
      on conflict (organization_id, service_id, subject_kind, subject_name, ordinal) do update set ordinal = 0 returning id`;
  for (const [index, metric] of metrics.entries()) {
    await tx`update blocks set metrics = metrics || ${metric}::text
        where id = ${block?.id ?? 0} and ${metric} <> all(metrics)`;
    const [slot] = await tx<{ slot: number }[]>`
        select array_position(metrics, ${metric}) - 1 as slot from blocks where id = ${block?.id ?? 0}`;
    const column = tx.unsafe(`v${slot?.slot}`);
    await tx`insert into ${tx(table)} ("time", block_id, ${column}) values (${time}::timestamptz, ${block?.id ?? 0}, ${values[index] as number})
        on conflict (block_id, "time") do update set ${column} = excluded.${column}`;
  }
}

/** Writes the values of all parts of a payload into one block, and the parts with their labels. */
async function writeParts(
  tx: Transaction,
  organizationId: string,
  { serviceId, host, table }: { serviceId: string; host: string; table: string },
  time: number,
  { shape, values }: PartValues,
): Promise<void> {
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
    const column = tx.unsafe(`v${slot?.slot}`);
    await tx`insert into ${tx(table)} ("time", block_id, ${column}) values (${time}::timestamptz, ${blockId}, ${values[place] as number})
        on conflict (block_id, "time") do update set ${column} = excluded.${column}`;
  }
}
