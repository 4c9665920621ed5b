import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { dropPartitions, type PartitionedTable, type Partitions, partitionBounds } from './partitions.ts';

/**
 * Caches which partitions exist, by the start of their range. Partitions are created before rows need them. There is no
 * default partition, because rows in it would prevent the creation of the partition of their range.
 */
export class PartitionSet implements Partitions {
  readonly #known = new Map<PartitionedTable, Set<number>>();
  readonly #days = new Map<PartitionedTable, number>();
  #stale = true;

  has(table: PartitionedTable, time: number): boolean {
    return this.#known.get(table)?.has(partitionBounds(table, time).from) ?? false;
  }

  invalidate(): void {
    this.#stale = true;
  }

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

  async ensure(tx: Queryable, table: PartitionedTable, times: ArrayLike<number>): Promise<number> {
    if (this.#stale) await this.load(tx);
    const missing = new Map<number, number>();
    let lastDay = this.#days.get(table);
    for (let index = 0; index < times.length; index++) {
      const time = times[index] as number;
      const day = Math.floor(time / DAY_MS);
      if (day === lastDay) continue;
      lastDay = day;
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

  async drop(tx: Transaction, table: PartitionedTable, before: number): Promise<string[]> {
    const names = await dropPartitions(tx, table, before);
    for (const from of this.#known.get(table) ?? []) {
      if (partitionBounds(table, from).to <= before) this.#known.get(table)?.delete(from);
    }
    this.#days.delete(table);
    return names;
  }

  #add(table: PartitionedTable, from: number): void {
    const known = this.#known.get(table);
    if (known === undefined) this.#known.set(table, new Set([from]));
    else known.add(from);
  }
}
