import type { RollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { Transaction } from '@tidewatch/database/connection';
import type { Fence } from '../leases/lease.ts';
import type { Partitions } from '../retention/partitions.ts';
import type { Dropped } from '../retention/retention.ts';
import type { SampleLayout } from '../sample-log/sample-layout.ts';

export const STORAGE_BACKEND_NAMES = ['plain', 'apache', 'community'] as const;

/** Plain PostgreSQL, or TimescaleDB in its Apache or its Community edition. */
export type StorageBackendName = (typeof STORAGE_BACKEND_NAMES)[number];

/**
 * The operations that differ between storage backends; relations and the results of queries are the same in each.
 * Times are milliseconds since the epoch. A `fence` runs as the first statement of each transaction.
 */
export interface StorageBackend {
  readonly name: StorageBackendName;
  /** The layouts of samples that the database may have while it is open. */
  readonly layouts: readonly SampleLayout[];
  readonly partitions: Partitions;
  /** Creates the partitions for rows of the next two days; returns how many it created. */
  ensurePartitions(now: number, fence?: Fence): Promise<number>;
  enforceRetention(now: number, fence?: Fence): Promise<Dropped>;
  /** Recomputes stale rollups, at most `limit` marks of each tier; returns how many marks it deleted. */
  drain(now: number, limit: number, quietMs?: number, fence?: Fence): Promise<number>;
  countDirty(now: number): Promise<Record<RollupTier, number>>;
  /** Marks late rows if the server computes the rollups; null if the writer computes them. */
  readonly late: LateBuckets | null;
}

/** Records minutes that receive rows after they were rolled up, in the writer's transaction. */
export interface LateBuckets {
  /** Returns the time (ms) before which rows are late, and keeps it from rising until the transaction ends. */
  hold(tx: Transaction): Promise<number>;
  /** Marks the minutes that contain these times (ms), and with them their hours and days. */
  mark(tx: Transaction, times: Iterable<number>): Promise<void>;
}
