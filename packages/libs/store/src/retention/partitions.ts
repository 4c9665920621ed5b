import { DAY_MS } from '@tidewatch/domain/rollup/tier';
import type { Queryable, Transaction } from '../database/connection.ts';

export type PartitionedTable =
  | 'samples'
  | 'samples_backfill'
  | 'rollup_1m'
  | 'rollup_1h'
  | 'rollup_1d'
  | 'snapshots';

type Span = 'day' | 'month' | 'year';
export const PARTITION_SPAN: Record<PartitionedTable, Span> = {
  samples: 'day',
  samples_backfill: 'year',
  rollup_1m: 'day',
  rollup_1h: 'month',
  rollup_1d: 'year',
  snapshots: 'day',
};

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

/** Where rows of a time are kept. */
export interface Partitions {
  /** Whether raw rows or buckets of `time` may be there, as opposed to dropped. */
  has(table: PartitionedTable, time: number): boolean;
  /** A transaction was rolled back, and with it perhaps partitions: they are read anew before the next use. */
  invalidate(): void;
  /** Reads anew which partitions exist. */
  load(sql: Queryable): Promise<void>;
  /** Creates what is missing for these times; answers how many partitions were created. */
  ensure(tx: Queryable, table: PartitionedTable, times: ArrayLike<number>): Promise<number>;
  /** Drops the partitions that end at or before `before`; answers their names. */
  drop(tx: Transaction, table: PartitionedTable, before: number): Promise<string[]>;
}

/** Drops what of `table` ends at or before `before`, in any storage backend; answers the names of what was dropped. */
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
