import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { HostSnapshot } from '@tidewatch/domain/snapshots/host-snapshot';
import { mergeSnapshots } from '@tidewatch/domain/snapshots/merge-snapshots';
import {
  MAX_PACKED_SNAPSHOTS,
  packSnapshots,
  unpackSnapshots,
} from '@tidewatch/domain/snapshots/snapshot-pack';
import { BackgroundTurn } from '../../event-loop/background-turn.ts';
import { type DamagedBytes, keepDamaged } from '../../sample-damage/keep-damaged.ts';
import { inPortions, joinBytes } from './joined-bytes.ts';
import { fromStoredBytes, toStoredBytes } from './stored-bytes.ts';

/** The size of the data that one statement inserts, bytes. */
const MAX_STATEMENT_BYTES = 2 * 1_048_576;
/** The number of rows of the log from which one transaction chooses its own. */
const MAX_ROWS = 20_000;

export interface SealRequest {
  /** The buckets of the log that are sealed. */
  buckets: readonly number[];
  /** Rows up to this number are sealed: all of them are committed. */
  bound: number;
  /** About how many bytes of the log are sealed at once. */
  maxBytes: number;
}

export interface SealedSnapshots {
  /** The rows that were deleted from the log. */
  rows: number;
  chunks: number;
  /** Whether rows up to the bound are left. */
  hasMore: boolean;
  /** Rows that could not be read, which are in `damaged_samples`. */
  damaged: { bucket: number; seq: number; error: MalformedBytesError }[];
}

interface LogRow {
  organization_id: string;
  bucket: number;
  seq: number;
  /** Of its latest snapshot, ms. */
  last: number;
  data: Buffer;
}

/** Snapshots of one service and hour at most. `seq`: the last number of the log that is in it, 0 for none. */
export interface SnapshotChunk {
  organizationId: string;
  serviceId: string;
  snapshots: HostSnapshot[];
  seq: number;
  data: Buffer;
}

/**
 * Moves the earliest rows of the log to chunks, each of one service, and deletes them. What belongs to deleted services is discarded. Yields to
 * the event loop.
 */
export async function sealSnapshots(tx: Transaction, request: SealRequest): Promise<SealedSnapshots> {
  const { rows, hasMore } = await takeRows(tx, request);
  const damaged: SealedSnapshots['damaged'] = [];
  const kept: DamagedBytes[] = [];
  const turn = new BackgroundTurn();
  const hosts = new Map<string, Omit<SnapshotChunk, 'data'>>();
  for (const { organization_id: organizationId, bucket, seq, last, data } of rows) {
    try {
      for (const { serviceId, snapshots } of unpackSnapshots(fromStoredBytes(data))) {
        const key = `${organizationId}\0${serviceId}`;
        const host = hosts.get(key) ?? { organizationId, serviceId, snapshots: [], seq };
        host.snapshots.push(...snapshots);
        host.seq = seq;
        hosts.set(key, host);
      }
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      damaged.push({ bucket, seq, error });
      const place = { organizationId, bucket, seq };
      kept.push({ relation: 'snapshot_log', place, day: last, error, data });
    }
    if (turn.isOver) await turn.yieldWhenDue();
  }
  const chunks: SnapshotChunk[] = [];
  for (const host of await withoutDeleted(tx, [...hosts.values()]))
    for (const chunk of packChunks(host)) {
      chunks.push(chunk);
      if (turn.isOver) await turn.yieldWhenDue();
    }
  await writeChunks(tx, chunks);
  await keepDamaged(tx, kept);
  return { rows: rows.length, chunks: chunks.length, hasMore, damaged };
}

const firstOf = ({ snapshots }: Pick<SnapshotChunk, 'snapshots'>): number =>
  (snapshots[0] as HostSnapshot).time;

/** Creates the missing partitions of chunks for these times, ms; returns how many. */
export async function ensureChunkPartitions(tx: Transaction, times: readonly number[]): Promise<number> {
  const days = [...new Set(times.map((time) => bucketOf(time, DAY_MS)))].sort((a, b) => a - b);
  if (days.length === 0) return 0;
  const [row] = await tx<{ created: number }[]>`
    select count(*) filter (where ensure_packed_partition('snapshot_chunks', day, day + interval '24 hours'))::integer as created
    from unnest(${days}::timestamptz[]) as d (day)`;
  return row?.created ?? 0;
}

/** Deletes the earliest rows, whole transactions of them, and returns them in the order of their numbers. */
async function takeRows(tx: Transaction, { buckets, bound, maxBytes }: SealRequest) {
  const of = buckets as number[];
  const [found] = await tx<{ cutoff: number | null; newest: number; rows: number }[]>`
    select max(seq) filter (where total <= ${maxBytes} or seq = lowest) as cutoff, max(seq) as newest, count(*)::integer as rows
    from (
      select seq, sum(octet_length(data)) over (order by seq) as total, min(seq) over () as lowest
      from (
        select seq, data from snapshot_log where bucket = any(${of}::smallint[]) and seq <= ${bound} order by seq limit ${MAX_ROWS}
      ) earliest
    ) measured`;
  if (found === undefined || found.cutoff === null) return { rows: [], hasMore: false };
  const rows = await tx<LogRow[]>`
    delete from snapshot_log where bucket = any(${of}::smallint[]) and seq <= ${found.cutoff}
    returning organization_id, bucket, seq, last, data`;
  const hasMore = found.newest > found.cutoff || found.rows === MAX_ROWS;
  return { rows: rows.sort((a, b) => a.seq - b.seq), hasMore };
}

/** Leaves out the hosts whose service does not exist or is deleted. */
async function withoutDeleted<Host extends { organizationId: string; serviceId: string }>(
  tx: Transaction,
  hosts: readonly Host[],
): Promise<Host[]> {
  const organizationIds = hosts.map(({ organizationId }) => organizationId);
  const serviceIds = hosts.map(({ serviceId }) => serviceId);
  const rows = await tx<{ place: number }[]>`
    select h.place::integer as place
    from unnest(${organizationIds}::text[], ${serviceIds}::text[]) with ordinality as h (organization_id, id, place)
    join services s on s.organization_id = h.organization_id and s.id = h.id
    where s.deleted_at is null order by 1`;
  return rows.map(({ place }) => hosts[place - 1] as Host);
}

/** Packs snapshots of one service into chunks; of equal times the later snapshot counts. */
export function* packChunks(host: Omit<SnapshotChunk, 'data'>): Generator<SnapshotChunk> {
  for (const snapshots of chunked(mergeSnapshots(host.snapshots))) {
    const data = toStoredBytes(packSnapshots([{ serviceId: host.serviceId, snapshots }]), 3);
    yield { ...host, snapshots, data };
  }
}

/** Writes chunks, and creates the partitions that they need. */
export async function writeChunks(tx: Transaction, chunks: readonly SnapshotChunk[]): Promise<void> {
  await ensureChunkPartitions(tx, chunks.map(firstOf));
  for (const portion of inPortions(chunks, MAX_STATEMENT_BYTES)) await insertChunks(tx, portion);
}

/** Divides snapshots, which are in the order of their times, by hours. */
function chunked(snapshots: readonly HostSnapshot[]): HostSnapshot[][] {
  const chunks: HostSnapshot[][] = [];
  for (const hour of Map.groupBy(snapshots, ({ time }) => bucketOf(time, HOUR_MS)).values())
    for (let start = 0; start < hour.length; start += MAX_PACKED_SNAPSHOTS)
      chunks.push(hour.slice(start, start + MAX_PACKED_SNAPSHOTS));
  return chunks;
}

async function insertChunks(tx: Transaction, chunks: readonly SnapshotChunk[]): Promise<void> {
  const { data, starts, sizes } = joinBytes(chunks.map((chunk) => chunk.data));
  const count = (member: 'containers' | 'processes') =>
    chunks.map(({ snapshots }) => snapshots.filter((snapshot) => snapshot[member] !== null).length);
  await tx`
    insert into snapshot_chunks (organization_id, service_id, first, last, seq, containers, processes, data)
    select organization_id, service_id, first, last, seq, containers, processes, substring(${data}::bytea from start for size)
    from unnest(${chunks.map(({ organizationId }) => organizationId)}::text[], ${chunks.map(({ serviceId }) => serviceId)}::text[],
      ${chunks.map(firstOf)}::timestamptz[], ${chunks.map(({ snapshots }) => (snapshots.at(-1) as HostSnapshot).time)}::timestamptz[],
      ${chunks.map(({ seq }) => seq)}::bigint[], ${count('containers')}::integer[], ${count('processes')}::integer[],
      ${starts}::integer[], ${sizes}::integer[])
      as c (organization_id, service_id, first, last, seq, containers, processes, start, size)`;
}
