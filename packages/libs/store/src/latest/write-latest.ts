import { sendBeforeCommit } from '@tidewatch/database/before-commit';
import { type Queryable, type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { CopyRefusedError, copyBeforeCommit, copyInto } from '@tidewatch/database/copy/copy';
import type { LatestBlock } from './latest-block.ts';
import { type PartsLive, stageLiveParts, upsertLiveParts } from './live-parts.ts';

/** The live values of a service, which change with every payload. Times in ms. */
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

const SET_LIVE = `
  last_seen = greatest(stored.last_seen, excluded.last_seen), last_sample_at = excluded.last_sample_at,
  interval_seconds = excluded.interval_seconds, clock_offset_seconds = excluded.clock_offset_seconds,
  clock_skew_seconds = excluded.clock_skew_seconds, cpu_percent = excluded.cpu_percent,
  memory_percent = excluded.memory_percent, disk_percent = excluded.disk_percent`;
/**
 * Nearly always every service has a row, for which an update takes two thirds of what an upsert takes. The limit says to the planner how
 * many rows there are, since nothing is known of a temporary table.
 */
const updateLive = (count: number) => `
  update service_live as stored set ${SET_LIVE} from (select * from staged_live limit ${count}) as excluded
  where stored.organization_id = excluded.organization_id and stored.service_id = excluded.service_id`;
const UPSERT_LIVE = `
  insert into service_live as stored select * from staged_live order by organization_id, service_id
  on conflict (organization_id, service_id) do update set ${SET_LIVE}`;

/** What changed since the last flush. */
export interface LatestChanges {
  blocks: readonly LatestBlock[];
  services: readonly ServiceLive[];
  parts: readonly PartsLive[];
}

/**
 * Stores the latest values of blocks and of parts, and the live values of services, in one transaction. Of two writers of a block, the one
 * with the later `appliedAt` (ms) wins; `last_seen` never goes back.
 */
export async function writeLatest(
  sql: Sql,
  { blocks, services, parts }: LatestChanges,
  appliedAt: number,
  buffer: BinaryRows,
): Promise<void> {
  if (blocks.length === 0 && services.length === 0 && parts.length === 0) return;
  const { update } = await transact(sql, async (tx) => {
    // Copies before it locks any row, since a process that freezes in the middle of a COPY would hold its locks.
    if (blocks.length > 0) {
      await tx`create temp table if not exists staged_latest (like block_latest) on commit delete rows`;
      await copyBlocks(tx, 'staged_latest', blocks, () => appliedAt, buffer);
    }
    if (services.length > 0) await stageServices(tx, services, buffer);
    if (parts.length > 0) await stageLiveParts(tx, parts, appliedAt, buffer);
    if (blocks.length > 0)
      await tx`
        insert into block_latest as stored select * from staged_latest order by block_id
        on conflict (block_id) do update set applied_at = excluded.applied_at, times = excluded.times, vals = excluded.vals
        where stored.applied_at <= excluded.applied_at`;
    // Not prepared: a plan for a few hosts of a large fleet looks up each, a plan for most of them reads the table.
    const update = services.length > 0 ? tx.unsafe(updateLive(services.length)) : null;
    if (update !== null) await sendBeforeCommit(tx, update);
    if (parts.length > 0) await upsertLiveParts(tx);
    return { update };
  });
  if (update === null || (await update).count === services.length) return;
  await transact(sql, async (tx) => {
    await stageServices(tx, services, buffer);
    await sendBeforeCommit(tx, tx.unsafe(UPSERT_LIVE));
  });
}

/**
 * Replaces the latest values of blocks, in the transaction that seals the samples that they follow from. `appliedAt` (ms) of what is
 * stored never goes back.
 */
export async function writeSealedLatest<B extends LatestBlock & { appliedAt: number }>(
  tx: Transaction,
  blocks: readonly B[],
  buffer: BinaryRows,
): Promise<void> {
  if (blocks.length === 0) return;
  await tx`create temp table if not exists staged_latest (like block_latest) on commit delete rows`;
  await copyBlocks(tx, 'staged_latest', blocks, (block) => block.appliedAt, buffer);
  await tx`
    insert into block_latest as stored select * from staged_latest order by block_id
    on conflict (block_id) do update set applied_at = greatest(stored.applied_at, excluded.applied_at),
      times = excluded.times, vals = excluded.vals`;
  await tx`delete from staged_latest`;
}

/**
 * Inserts by COPY the latest values of blocks, and the live rows of hosts (last seen, clock offset, use of processor, memory
 * and disk), that have none yet; `appliedAt` is in ms. Throws CopyRefusedError if another writer has inserted one of them.
 */
export async function writeFirstLatest(
  tx: Transaction,
  blocks: readonly LatestBlock[],
  services: readonly ServiceLive[],
  appliedAt: number,
  buffer: BinaryRows,
): Promise<void> {
  if (blocks.length > 0) await copyBlocks(tx, 'block_latest', blocks, () => appliedAt, buffer);
  if (services.length === 0) return;
  await stageServices(tx, services, buffer);
  const { count } = await tx`
    insert into service_live select * from staged_live order by organization_id, service_id on conflict do nothing`;
  if (count !== services.length) throw new CopyRefusedError('the service already has latest values');
}

async function copyBlocks<B extends LatestBlock>(
  tx: Transaction,
  table: 'block_latest' | 'staged_latest',
  blocks: readonly B[],
  appliedAt: (block: B) => number,
  buffer: BinaryRows,
): Promise<void> {
  buffer.reset();
  for (const block of blocks) {
    buffer.row(4, 480);
    buffer.int4(block.id);
    buffer.time(appliedAt(block));
    buffer.array(block.latestTimes, 0, true);
    buffer.array(block.latestValues, 0, false);
  }
  const columns = 'block_id, applied_at, times, vals';
  await copyInto(tx, `copy ${table} (${columns}) from stdin (format binary)`, [buffer.finish()]);
}

/**
 * Copies into a temporary table, since COPY into a table with row-level security is not possible. Ordered, so that all writers lock rows
 * in one order.
 */
async function stageServices(
  tx: Transaction,
  services: readonly ServiceLive[],
  buffer: BinaryRows,
): Promise<void> {
  const number = (value: number | null) => (value === null ? buffer.null() : buffer.float8(value));
  buffer.reset();
  for (const live of services.toSorted(byKey)) {
    buffer.row(10, 96);
    buffer.text(live.organizationId);
    buffer.text(live.serviceId);
    buffer.time(live.lastSeen);
    if (live.lastSampleAt === null) buffer.null();
    else buffer.time(live.lastSampleAt);
    number(live.intervalSeconds);
    number(live.clockOffsetSeconds);
    number(live.clockSkewSeconds);
    number(live.cpuPercent);
    number(live.memoryPercent);
    number(live.diskPercent);
  }
  const columns = `organization_id, service_id, last_seen, last_sample_at, interval_seconds, clock_offset_seconds,
    clock_skew_seconds, cpu_percent, memory_percent, disk_percent`;
  await copyBeforeCommit(
    tx,
    `create temp table if not exists staged_live (like service_live) on commit delete rows;
      copy staged_live (${columns}) from stdin (format binary)`,
    buffer.finish(),
  );
}

function byKey(a: ServiceLive, b: ServiceLive): number {
  const isBefore =
    a.organizationId === b.organizationId ? a.serviceId < b.serviceId : a.organizationId < b.organizationId;
  return isBefore ? -1 : 1;
}

/** What the writer restores from the live row of a service. Times in ms, intervals in seconds. */
export interface LiveRow {
  service_id: string;
  last_sample_at: number | null;
  interval: number | null;
  clock_offset: number | null;
  cpu_percent: number | null;
  memory_percent: number | null;
  disk_percent: number | null;
}

/** Reads the live rows of services of one organization. */
export function readServiceLive(tx: Queryable, organizationId: string, serviceIds: readonly string[]) {
  return tx<LiveRow[]>`
    select service_id, last_sample_at, interval_seconds as interval, clock_offset_seconds as clock_offset,
      cpu_percent, memory_percent, disk_percent
    from service_live where organization_id = ${organizationId} and service_id = any(${serviceIds}::text[])`;
}
