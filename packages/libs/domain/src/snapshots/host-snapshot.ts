import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';

/** The lists that a snapshot may have. */
export interface SnapshotLists {
  containers: Container[];
  processes: ProcessInfo[];
}

export type SnapshotMember = keyof SnapshotLists;

/** What a payload of one time (ms) carried; a list that it did not carry is null. */
export interface HostSnapshot {
  time: number;
  containers: Container[] | null;
  processes: ProcessInfo[] | null;
}
