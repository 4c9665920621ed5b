import { createRowSnapshots } from './rows/row-snapshots.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** The reader of snapshots for roles that serve all organizations, whatever the storage backend of the database. */
export const storedSnapshots: SnapshotReader = createRowSnapshots('snapshots');

/** The same for roles that see the organization that is bound to their connection. */
export const organizationSnapshots: SnapshotReader = createRowSnapshots('organization_snapshots');
