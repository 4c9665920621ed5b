import { setTimeout as sleep } from 'node:timers/promises';
import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { HostSnapshot } from '@tidewatch/domain/snapshots/host-snapshot';
import { unpackSnapshots } from '@tidewatch/domain/snapshots/snapshot-pack';
import { packChunks, type SnapshotChunk, writeChunks } from '../snapshots/packed/seal-snapshots.ts';
import { fromStoredBytes } from '../snapshots/packed/stored-bytes.ts';
import { ConversionError } from './conversion-error.ts';
import type { ConversionOptions } from './convert-days.ts';
import { findSnapshotDays } from './source-days.ts';
import { transactAlone } from './transact-alone.ts';

/** How many services one transaction converts the snapshots of. */
const PART = 16;

interface Service {
  organization_id: string;
  id: string;
}

/** What the snapshots of a service and day add up to: rows, lists, and the entries of these. */
interface SnapshotTotals {
  rows: number;
  containers: number;
  processes: number;
  entries: number;
}

/** Converts the snapshots of every day, newest first, as `convertDays` does samples. Returns how many services were written. */
export async function convertSnapshots(
  sql: Sql,
  { committed, restMs }: Pick<ConversionOptions, 'committed' | 'restMs'>,
): Promise<number> {
  let written = 0;
  for (const day of await findSnapshotDays(sql))
    for (let after = ''; ; ) {
      const services = await sql<Service[]>`
        select organization_id, id from services where id > ${after} order by id limit ${PART}`;
      const last = services.at(-1);
      if (last === undefined) break;
      after = last.id;
      const began = performance.now();
      written += await transactAlone(sql, (tx) => convertServices(tx, services, day));
      committed?.();
      await sleep(restMs?.(performance.now() - began) ?? 0);
    }
  return written;
}

async function convertServices(tx: Transaction, services: readonly Service[], day: number): Promise<number> {
  const totals = await readTotals(tx, services, day);
  const missing = await findDifferences(tx, services, day, totals);
  if (missing.length === 0) return 0;
  await tx`
    delete from snapshot_chunks where service_id = any(${missing.map(({ id }) => id)}::text[])
      and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz`;
  for (const service of missing) await writeChunks(tx, await packService(tx, service, day));
  const [differing] = await findDifferences(tx, missing, day, totals);
  if (differing !== undefined)
    throw new ConversionError(
      `The day ${new Date(day).toISOString().slice(0, 10)} has other snapshots of the service ${differing.id} after they were written.`,
    );
  return missing.length;
}

async function readTotals(tx: Transaction, services: readonly Service[], day: number) {
  const rows = await tx<({ organization_id: string; service_id: string } & SnapshotTotals)[]>`
    select s.organization_id, s.service_id, count(*)::integer as rows, count(s.containers)::integer as containers,
      count(s.processes)::integer as processes,
      (coalesce(sum(jsonb_array_length(s.containers)), 0) + coalesce(sum(jsonb_array_length(s.processes)), 0))::float8 as entries
    from unnest(${services.map(({ organization_id }) => organization_id)}::text[], ${services.map(({ id }) => id)}::text[])
      as asked (organization_id, id)
    join snapshots s on s.organization_id = asked.organization_id and s.service_id = asked.id
    where s."time" >= ${day}::timestamptz and s."time" < ${day + DAY_MS}::timestamptz
    group by 1, 2`;
  return new Map(rows.map((row) => [keyOf(row.organization_id, row.service_id), row]));
}

/** Returns the services whose stored chunks do not add up to the same. */
async function findDifferences(
  tx: Transaction,
  services: readonly Service[],
  day: number,
  read: ReadonlyMap<string, SnapshotTotals>,
): Promise<Service[]> {
  const rows = await tx<{ organization_id: string; service_id: string; data: Buffer }[]>`
    select organization_id, service_id, data from snapshot_chunks
    where service_id = any(${services.map(({ id }) => id)}::text[])
      and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz`;
  const chunks = Map.groupBy(rows, (row) => keyOf(row.organization_id, row.service_id));
  return services.filter((service) => {
    const key = keyOf(service.organization_id, service.id);
    const before = read.get(key) ?? { rows: 0, containers: 0, processes: 0, entries: 0 };
    const after = totalsOf(chunks.get(key)?.map(({ data }) => data) ?? []);
    const names = ['rows', 'containers', 'processes', 'entries'] as const;
    return after === null || names.some((name) => before[name] !== after[name]);
  });
}

const keyOf = (organizationId: string, serviceId: string) => `${organizationId}\0${serviceId}`;

/** Adds up chunks; null if one cannot be read. */
function totalsOf(chunks: readonly Buffer[]): SnapshotTotals | null {
  try {
    const hosts = chunks.flatMap((data) => unpackSnapshots(fromStoredBytes(data)));
    const snapshots = hosts.flatMap((host) => host.snapshots);
    const count = (member: 'containers' | 'processes') =>
      snapshots.filter((snapshot) => snapshot[member] !== null).length;
    const entries = snapshots.reduce(
      (sum, { containers, processes }) => sum + (containers?.length ?? 0) + (processes?.length ?? 0),
      0,
    );
    return {
      rows: snapshots.length,
      containers: count('containers'),
      processes: count('processes'),
      entries,
    };
  } catch (error) {
    if (error instanceof MalformedBytesError) return null;
    throw error;
  }
}

/** Packs the snapshots of a service and day. Of equal times those of the log count, whose numbers begin at 1. */
async function packService(tx: Transaction, service: Service, day: number): Promise<SnapshotChunk[]> {
  const snapshots: HostSnapshot[] = await tx<
    { time: number; containers: Container[] | null; processes: ProcessInfo[] | null }[]
  >`
    select "time", containers, processes from snapshots
    where organization_id = ${service.organization_id} and service_id = ${service.id}
      and "time" >= ${day}::timestamptz and "time" < ${day + DAY_MS}::timestamptz
    order by "time"`;
  if (snapshots.length === 0) return [];
  const host = { organizationId: service.organization_id, serviceId: service.id, snapshots, seq: 0 };
  return [...packChunks(host)];
}
