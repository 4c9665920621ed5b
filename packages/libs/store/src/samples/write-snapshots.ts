import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { copyInto } from '@tidewatch/database/copy/copy';

/** Containers and processes of one payload. */
export interface Snapshot {
  time: number;
  organizationId: string;
  serviceId: string;
  containers?: Container[];
  processes?: ProcessInfo[];
}

/** Stores snapshots, merged with a stored one of the same service and time. A call may contain each key once. */
export async function writeSnapshots(
  tx: Transaction,
  rows: readonly Snapshot[],
  buffer: BinaryRows,
): Promise<void> {
  if (rows.length === 0) return;
  // The columns are listed for the same reason as those of staged_samples: roles have grants on columns only.
  await tx`
    create temp table if not exists staged_snapshots (
      "time" timestamptz not null, organization_id text not null, service_id text not null, containers jsonb, processes jsonb
    ) on commit delete rows`;
  buffer.reset();
  for (const row of rows) {
    buffer.row(5, 64);
    buffer.time(row.time);
    buffer.text(row.organizationId);
    buffer.text(row.serviceId);
    if (row.containers === undefined) buffer.null();
    else buffer.jsonb(JSON.stringify(row.containers));
    if (row.processes === undefined) buffer.null();
    else buffer.jsonb(JSON.stringify(row.processes));
  }
  await copyInto(
    tx,
    'copy staged_snapshots ("time", organization_id, service_id, containers, processes) from stdin (format binary)',
    [buffer.finish()],
  );
  await tx`
    insert into snapshots as stored ("time", organization_id, service_id, containers, processes)
    select "time", organization_id, service_id, containers, processes from staged_snapshots order by organization_id, service_id, "time"
    on conflict (organization_id, service_id, "time") do update set
      containers = coalesce(excluded.containers, stored.containers),
      processes = coalesce(excluded.processes, stored.processes)`;
}
