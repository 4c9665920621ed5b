import type { Transaction } from '@tidewatch/database/connection';
import type { HostSnapshot } from '@tidewatch/domain/snapshots/host-snapshot';
import { type HostSnapshots, packSnapshots } from '@tidewatch/domain/snapshots/snapshot-pack';
import { logBucketOf } from '../../sample-log/buckets.ts';
import type { Snapshot } from '../../samples/write-snapshots.ts';
import { inPortions, joinBytes } from './joined-bytes.ts';
import { toStoredBytes } from './stored-bytes.ts';

/** The max size of a row of the log, bytes, but for one whose single list is larger. */
const MAX_ROW_BYTES = 1_048_576;
/** The size of the data that one statement inserts, bytes. */
const MAX_STATEMENT_BYTES = 2 * 1_048_576;

interface LogRow {
  organizationId: string;
  bucket: number;
  first: number;
  last: number;
  data: Buffer;
}

/**
 * Appends snapshots to the log in the caller's transaction, as one row for each organization and bucket of hosts. `seq` was drawn by
 * `drawSeqs` in this transaction. A call may contain each service and time once.
 */
export async function appendSnapshots(
  tx: Transaction,
  seq: number,
  snapshots: readonly Snapshot[],
): Promise<void> {
  const buckets = Map.groupBy(snapshots, bucketKey);
  const rows = [...buckets.values()].flatMap((own): LogRow[] => {
    const [{ organizationId, serviceId }] = own as [Snapshot];
    const services = Map.groupBy(own, (snapshot) => snapshot.serviceId);
    const hosts = [...services].map(([id, all]) => ({
      serviceId: id,
      snapshots: all.map(hostSnapshot).sort(byTime),
    }));
    return packRows(hosts).map((row) => ({ organizationId, bucket: logBucketOf(serviceId), ...row }));
  });
  for (const portion of inPortions(rows, MAX_STATEMENT_BYTES)) await insertRows(tx, seq, portion);
}

const bucketKey = ({ organizationId, serviceId }: Snapshot) => `${logBucketOf(serviceId)}\0${organizationId}`;

const hostSnapshot = ({ time, containers, processes }: Snapshot): HostSnapshot => ({
  time,
  containers: containers ?? null,
  processes: processes ?? null,
});

const byTime = (a: HostSnapshot, b: HostSnapshot) => a.time - b.time;

/** Packs hosts into as many rows as their bytes need. */
function packRows(hosts: readonly HostSnapshots[]): Pick<LogRow, 'first' | 'last' | 'data'>[] {
  const data = packSnapshots(hosts);
  const parts = data.length <= MAX_ROW_BYTES ? null : halves(hosts);
  if (parts !== null) return parts.flatMap(packRows);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { snapshots } of hosts) {
    first = Math.min(first, snapshots[0]?.time ?? first);
    last = Math.max(last, snapshots.at(-1)?.time ?? last);
  }
  return [{ first, last, data: toStoredBytes(data, 1) }];
}

/** Divides hosts, or the snapshots of a single one, or the lists of a single snapshot; null if there is only one list. */
function halves(hosts: readonly HostSnapshots[]): HostSnapshots[][] | null {
  const middle = hosts.length >> 1;
  if (middle > 0) return [hosts.slice(0, middle), hosts.slice(middle)];
  const [{ serviceId, snapshots }] = hosts as [HostSnapshots];
  const of = (part: HostSnapshot[]) => [{ serviceId, snapshots: part }];
  const half = snapshots.length >> 1;
  if (half > 0) return [of(snapshots.slice(0, half)), of(snapshots.slice(half))];
  const [snapshot] = snapshots as [HostSnapshot];
  if (snapshot.containers === null || snapshot.processes === null) return null;
  return [of([{ ...snapshot, containers: null }]), of([{ ...snapshot, processes: null }])];
}

async function insertRows(tx: Transaction, seq: number, rows: readonly LogRow[]): Promise<void> {
  const { data, starts, sizes } = joinBytes(rows.map((row) => row.data));
  await tx`
    insert into snapshot_log (organization_id, bucket, seq, first, last, data)
    select organization_id, bucket, ${seq}::bigint, first, last, substring(${data}::bytea from start for size)
    from unnest(${rows.map((row) => row.organizationId)}::text[], ${rows.map((row) => row.bucket)}::smallint[],
      ${rows.map((row) => row.first)}::timestamptz[], ${rows.map((row) => row.last)}::timestamptz[],
      ${starts}::integer[], ${sizes}::integer[]) as r (organization_id, bucket, first, last, start, size)`;
}
