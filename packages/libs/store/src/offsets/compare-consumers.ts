import type { Queryable } from '@tidewatch/database/connection';

/**
 * Two sets of partitions: those in which a consumer has applied records that another has not, and the reverse, by committed
 * positions. A partition may be in both, if each consumer lacks records.
 */
export interface ConsumerComparison {
  ahead: ReadonlySet<number>;
  behind: ReadonlySet<number>;
}

export async function compareConsumers(
  sql: Queryable,
  consumer: string,
  other: string,
): Promise<ConsumerComparison> {
  const rows = await sql<{ partition: number; ahead: boolean }[]>`
    select partition, coalesce(a.next_offset, -1) > coalesce(b.next_offset, -1) as ahead
    from (select * from consumer_offsets where consumer = ${consumer}) a
    full join (select * from consumer_offsets where consumer = ${other}) b using (topic, partition)
    where a.next_offset is distinct from b.next_offset
    union select partition, consumer = ${other} from consumer_rests where consumer in (${consumer}, ${other})`;
  const of = (ahead: boolean) =>
    new Set(rows.filter((row) => row.ahead === ahead).map(({ partition }) => partition));
  return { ahead: of(true), behind: of(false) };
}
