import { type Queryable, type Sql, type Transaction, transact } from '../connection.ts';
import type { BinaryRows } from '../samples/binary-rows.ts';
import { copyInto } from '../samples/copy.ts';

/** Latest value of each of a block's sixteen slots by sample time; a slot without one has time -Infinity. */
export interface LatestBlock {
  id: number;
  latestTimes: Float64Array;
  latestValues: Float64Array;
}

/** Overwrites the latest values of blocks; `appliedAt` in ms decides between two writers. */
export async function writeLatest(
  sql: Sql,
  blocks: readonly LatestBlock[],
  appliedAt: number,
  buffer: BinaryRows,
): Promise<void> {
  if (blocks.length === 0) return;
  await transact(sql, async (tx) => {
    await tx`create temp table if not exists staged_latest (like block_latest) on commit delete rows`;
    await copyBlocks(tx, 'staged_latest', blocks, appliedAt, buffer);
    await tx`
      insert into block_latest as stored select * from staged_latest order by block_id
      on conflict (block_id) do update set applied_at = excluded.applied_at, times = excluded.times, vals = excluded.vals
      where stored.applied_at <= excluded.applied_at`;
  });
}

/** Writes the latest values of blocks that are created in this transaction; `appliedAt` in ms. */
export async function copyLatest(
  tx: Transaction,
  blocks: readonly LatestBlock[],
  appliedAt: number,
  buffer: BinaryRows,
): Promise<void> {
  if (blocks.length > 0) await copyBlocks(tx, 'block_latest', blocks, appliedAt, buffer);
}

async function copyBlocks(
  tx: Transaction,
  table: 'block_latest' | 'staged_latest',
  blocks: readonly LatestBlock[],
  appliedAt: number,
  buffer: BinaryRows,
): Promise<void> {
  buffer.reset();
  for (const block of blocks) {
    buffer.row(4, 480);
    buffer.int4(block.id);
    buffer.time(appliedAt);
    buffer.array(block.latestTimes, 0, true);
    buffer.array(block.latestValues, 0, false);
  }
  const columns = 'block_id, applied_at, times, vals';
  await copyInto(tx, `copy ${table} (${columns}) from stdin (format binary)`, buffer.finish());
}

/** What changes with every payload of a service. Times in ms. */
export interface ServiceLive {
  organizationId: string;
  serviceId: string;
  lastSeen: number;
  lastSampleAt: number | null;
  intervalSeconds: number | null;
  clockOffsetSeconds: number | null;
  clockSkewSeconds: number | null;
  cpuPercent: number | null;
  memoryPercent: number | null;
  diskPercent: number | null;
}

/** Overwrites what is known of services at this moment; `last_seen` never goes back. */
export async function writeServiceLive(sql: Queryable, rows: readonly ServiceLive[]): Promise<void> {
  if (rows.length === 0) return;
  // As one JSON text: a bad value in a typed array parameter would throw past the promise.
  await sql`
    insert into service_live as stored (org_id, service_id, last_seen, last_sample_at, interval_seconds,
      clock_offset_seconds, clock_skew_seconds, cpu_percent, memory_percent, disk_percent)
    select r.org, r.id, to_timestamp(r.seen / 1000), to_timestamp(r.sample / 1000), r.interval, r.clock_offset, r.skew,
      r.cpu, r.memory, r.disk
    from json_to_recordset(${sql.json(
      rows.map((row) => ({
        org: row.organizationId,
        id: row.serviceId,
        seen: row.lastSeen,
        sample: row.lastSampleAt,
        interval: row.intervalSeconds,
        clock_offset: row.clockOffsetSeconds,
        skew: row.clockSkewSeconds,
        cpu: row.cpuPercent,
        memory: row.memoryPercent,
        disk: row.diskPercent,
      })),
    )}::json) as r (org text, id text, seen float8, sample float8, interval float8, clock_offset float8, skew float8,
      cpu float8, memory float8, disk float8)
    order by r.org, r.id
    on conflict (org_id, service_id) do update set
      last_seen = greatest(stored.last_seen, excluded.last_seen), last_sample_at = excluded.last_sample_at,
      interval_seconds = excluded.interval_seconds, clock_offset_seconds = excluded.clock_offset_seconds,
      clock_skew_seconds = excluded.clock_skew_seconds, cpu_percent = excluded.cpu_percent,
      memory_percent = excluded.memory_percent, disk_percent = excluded.disk_percent`;
}

/** What the live rows of services of one organization said last. */
export function readServiceLive(tx: Queryable, organizationId: string, serviceIds: readonly string[]) {
  return tx<
    {
      service_id: string;
      last_sample_at: number | null;
      interval: number | null;
      clock_offset: number | null;
    }[]
  >`
    select service_id, last_sample_at, interval_seconds as interval, clock_offset_seconds as clock_offset
    from service_live where org_id = ${organizationId} and service_id = any(${serviceIds}::text[])`;
}
