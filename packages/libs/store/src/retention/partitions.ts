import type { Queryable, Transaction } from '../connection.ts';
import { DAY } from '../rollups/tiers.ts';

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
    const from = Math.floor(time / DAY) * DAY;
    return { from, to: from + DAY };
  }
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const month = span === 'year' ? 0 : date.getUTCMonth();
  return {
    from: Date.UTC(year, month),
    to: span === 'year' ? Date.UTC(year + 1, 0) : Date.UTC(year, month + 1),
  };
}

/**
 * The partitions that exist, remembered by the start of their range. Partitions are created before the rows that
 * need them, and there is no default partition: once that held rows of a range, the range's own could not be made.
 */
export class PartitionSet {
  readonly #known = new Map<PartitionedTable, Set<number>>();
  readonly #days = new Map<PartitionedTable, number>();
  #stale = true;

  /** Whether a partition for `time` is known to exist. */
  has(table: PartitionedTable, time: number): boolean {
    return this.#known.get(table)?.has(partitionBounds(table, time).from) ?? false;
  }

  /** A transaction was rolled back, and with it perhaps partitions: they are read anew before the next use. */
  invalidate(): void {
    this.#stale = true;
  }

  /** Reads anew which partitions exist. */
  async load(sql: Queryable): Promise<void> {
    const rows = await sql<{ parent: PartitionedTable; day: string }[]>`
      select p.relname as parent, right(c.relname, 8) as day
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      join pg_namespace n on n.oid = p.relnamespace
      where n.nspname = 'tidewatch' and p.relkind = 'p'`;
    this.#known.clear();
    this.#stale = false;
    for (const row of rows) {
      const day = Date.UTC(
        Number(row.day.slice(0, 4)),
        Number(row.day.slice(4, 6)) - 1,
        Number(row.day.slice(6)),
      );
      this.#add(row.parent, day);
    }
    this.#days.clear();
  }

  /** Creates what is missing for these times; answers how many partitions were created. */
  async ensure(tx: Queryable, table: PartitionedTable, times: Iterable<number>): Promise<number> {
    if (this.#stale) await this.load(tx);
    const missing = new Map<number, number>();
    for (const time of times) {
      const day = Math.floor(time / DAY);
      if (this.#days.get(table) === day) continue;
      const { from, to } = partitionBounds(table, time);
      if (this.#known.get(table)?.has(from)) this.#days.set(table, day);
      else missing.set(from, to);
    }
    if (missing.size === 0) return 0;
    const ranges = [...missing].sort((a, b) => a[0] - b[0]);
    let created = 0;
    for (const [from, to] of ranges) {
      const [row] = await tx<{ created: boolean }[]>`
        select ensure_partition(${table}, ${from}::timestamptz, ${to}::timestamptz) as created`;
      if (row?.created) created++;
      this.#add(table, from);
    }
    return created;
  }

  /** Drops the partitions that end at or before `before`; answers their names. */
  async drop(tx: Transaction, table: PartitionedTable, before: number): Promise<string[]> {
    const rows = await tx<
      { name: string }[]
    >`select name from drop_partitions(${table}, ${before}::timestamptz) as name`;
    for (const from of this.#known.get(table) ?? []) {
      if (partitionBounds(table, from).to <= before) this.#known.get(table)?.delete(from);
    }
    this.#days.delete(table);
    return rows.map((row) => row.name);
  }

  #add(table: PartitionedTable, from: number): void {
    const known = this.#known.get(table);
    if (known === undefined) this.#known.set(table, new Set([from]));
    else known.add(from);
  }
}
