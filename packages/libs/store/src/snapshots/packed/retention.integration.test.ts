import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeEach, expect, it } from 'vitest';
import { drawSeqs, readEndedSeq } from '../../sample-log/seal-lock.ts';
import { appendSnapshots } from './append-snapshots.ts';
import { packedSnapshots } from './packed-snapshots.ts';
import { deleteSnapshots, enforceSnapshotRetention, ensureChunksAhead } from './retention.ts';
import { sealLog } from './seal-log.ts';

const DAY = Date.UTC(2026, 10, 10);
const { sql } = await storeForFile({ organizations: ['org_a'], sampleLayout: 'log' });
const chunks = () => sql`select service_id as id, first from snapshot_chunks order by 1, 2`;

beforeEach(async () => {
  for (const id of ['svc_a', 'svc_b'])
    await sql`
      insert into services (organization_id, id, host, first_seen, status_since) values ('org_a', ${id}, ${id}, now(), now())
      on conflict do nothing`;
  await sql.begin(async (tx) => {
    const [seq = 0] = await drawSeqs(tx);
    const snapshots = ['svc_a', 'svc_b'].flatMap((serviceId) =>
      [DAY, DAY + DAY_MS - 1, DAY + DAY_MS].map((time) => ({
        organizationId: 'org_a',
        serviceId,
        time,
        processes: [],
      })),
    );
    await appendSnapshots(tx, seq, snapshots);
  });
  expect(await sealLog(sql, { bound: readEndedSeq })).toEqual([]);
});

it('a day of chunks is dropped when the last of its snapshots has been kept as long as is set, and not before', async () => {
  const retention = { ...DEFAULT_RETENTION_DAYS, snapshots: 3 };
  const drop = (now: number) => enforceSnapshotRetention(sql, retention, { now });
  expect(await drop(DAY + 4 * DAY_MS - 1)).toEqual([]);
  expect(await drop(DAY + 4 * DAY_MS)).toEqual(['snapshot_chunks_20261110']);
  const span = {
    organizationId: 'org_a',
    serviceId: 'svc_a',
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
  };
  expect([...(await packedSnapshots.times(sql, span))]).toEqual([DAY + DAY_MS]);
  expect(await drop(DAY + 5 * DAY_MS)).toEqual(['snapshot_chunks_20261111']);
});

it('nothing is left of a service that was deleted a day ago, and everything of others', async () => {
  const before = await chunks();
  await sql`update services set deleted_at = ${DAY}::timestamptz where id = 'svc_a'`;
  expect(await deleteSnapshots(sql, { now: DAY + DAY_MS })).toBe(0);
  expect(await deleteSnapshots(sql, { now: DAY + DAY_MS + 1 })).toBe(3);
  expect(await chunks()).toEqual(before.filter(({ id }) => id === 'svc_b'));
});

it('partitions are created ahead once', async () => {
  const now = DAY + 100 * DAY_MS;
  expect(await ensureChunksAhead(sql, { now })).toBe(4);
  expect(await ensureChunksAhead(sql, { now })).toBe(0);
});
