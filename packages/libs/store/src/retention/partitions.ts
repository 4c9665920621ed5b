import { TIER_FACTS, TIERS, type Tier, type TierRelation } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable, Transaction } from '@tidewatch/database/connection';

export type PartitionedTable = TierRelation | 'samples_backfill' | 'snapshots';

type Span = 'day' | 'month' | 'year';
const PARTITION_SPAN: Record<PartitionedTable, Span> = {
  ...perRelation((tier) => TIER_FACTS[tier].partition),
  samples_backfill: 'year',
  snapshots: 'day',
};

export function perRelation<T>(valueFor: (tier: Tier) => T): Record<TierRelation, T> {
  return Object.fromEntries(TIERS.map((tier) => [TIER_FACTS[tier].relation, valueFor(tier)])) as Record<
    TierRelation,
    T
  >;
}

/** Bounds in ms of the partition of `table` that holds `time`: whole UTC days, months or years. */
export function partitionBounds(table: PartitionedTable, time: number): { from: number; to: number } {
  const span = PARTITION_SPAN[table];
  if (span === 'day') {
    const from = Math.floor(time / DAY_MS) * DAY_MS;
    return { from, to: from + DAY_MS };
  }
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const month = span === 'year' ? 0 : date.getUTCMonth();
  return {
    from: Date.UTC(year, month),
    to: span === 'year' ? Date.UTC(year + 1, 0) : Date.UTC(year, month + 1),
  };
}

/** The partitions or chunks of a storage backend. */
export interface Partitions {
  /** Whether rows of `time` may exist, since their partition has not been dropped. */
  has(table: PartitionedTable, time: number): boolean;
  /** Called after a rollback that may have removed partitions, so that they are read again before the next use. */
  invalidate(): void;
  /** Reads which partitions exist. */
  load(sql: Queryable): Promise<void>;
  /** Creates missing partitions for these times; returns how many. */
  ensure(tx: Queryable, table: PartitionedTable, times: ArrayLike<number>): Promise<number>;
  /** Drops the partitions that end at or before `before`; returns their names. */
  drop(tx: Transaction, table: PartitionedTable, before: number): Promise<string[]>;
}

/** Drops the partitions or chunks of `table` that end at or before `before`; returns their names. */
export async function dropPartitions(
  tx: Transaction,
  table: PartitionedTable,
  before: number,
): Promise<string[]> {
  const rows = await tx<
    { name: string }[]
  >`select name from drop_partitions(${table}, ${before}::timestamptz) as name`;
  return rows.map((row) => row.name);
}
