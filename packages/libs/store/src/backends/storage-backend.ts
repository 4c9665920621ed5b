import type { Transaction } from '../database/connection.ts';
import type { Fence } from '../leases/lease.ts';
import type { Partitions } from '../retention/partitions.ts';
import type { Dropped } from '../retention/retention.ts';
import type { RollupTier } from '../rollups/tiers.ts';

export const STORAGE_BACKEND_NAMES = ['plain', 'apache', 'community'] as const;

/** Plain PostgreSQL, or TimescaleDB in its Apache or its Community edition. */
export type StorageBackendName = (typeof STORAGE_BACKEND_NAMES)[number];

/**
 * What differs between the servers that Tidewatch stores in; the relations and what they answer are the same.
 * All times are milliseconds since the epoch. A `fence` goes before the work of each transaction.
 */
export interface StorageBackend {
  readonly name: StorageBackendName;
  readonly partitions: Partitions;
  /** Creates what rows of the next two days need; answers how many partitions were created. */
  ensurePartitions(now: number, fence?: Fence): Promise<number>;
  enforceRetention(now: number, fence?: Fence): Promise<Dropped>;
  /** Recomputes what is stale of the rollups, at most `limit` marks of each tier; answers how many it took away. */
  drain(now: number, limit: number, quietMs?: number, fence?: Fence): Promise<number>;
  countDirty(now: number): Promise<Record<RollupTier, number>>;
  /** Where the server rolls up what comes in order: what the writer tells it. Null where the writer does it itself. */
  readonly late: LateBuckets | null;
}

/** How a writer's transaction tells which rolled up minutes got further rows. */
export interface LateBuckets {
  /** Rows before the time that this answers (ms) are late. It stays so until the transaction ends. */
  hold(tx: Transaction): Promise<number>;
  /** Marks the minutes that these times (ms) lie in, and with them the hours and days around them. */
  mark(tx: Transaction, times: Iterable<number>): Promise<void>;
}
