import { sampleLayoutOf } from '../sample-log/sample-layout.ts';
import { packedSnapshots } from './packed/packed-snapshots.ts';
import { createRowSnapshots, type SnapshotRelation } from './rows/row-snapshots.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** The reader of snapshots for roles that serve all organizations, whatever the layout of the database. */
export const storedSnapshots: SnapshotReader = createStoredSnapshots('snapshots');

/** The same for roles that see the organization that is bound to their connection. */
export const organizationSnapshots: SnapshotReader = createStoredSnapshots('organization_snapshots');

function createStoredSnapshots(relation: SnapshotRelation): SnapshotReader {
  const rows = createRowSnapshots(relation);
  const readerOf = async (sql: Parameters<SnapshotReader['times']>[0]) =>
    (await sampleLayoutOf(sql)) === 'log' ? packedSnapshots : rows;
  return {
    newest: async (sql, ...asked) => (await readerOf(sql)).newest(sql, ...asked),
    newestTimes: async (sql, ...asked) => (await readerOf(sql)).newestTimes(sql, ...asked),
    lists: async (sql, ...asked) => (await readerOf(sql)).lists(sql, ...asked),
    times: async (sql, ...asked) => (await readerOf(sql)).times(sql, ...asked),
    containerPresence: async (sql, ...asked) => (await readerOf(sql)).containerPresence(sql, ...asked),
    hours: async (sql, ...asked) => (await readerOf(sql)).hours(sql, ...asked),
  };
}
