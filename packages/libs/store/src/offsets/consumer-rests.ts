import type { Queryable, Sql, Transaction } from '../database/connection.ts';

/** What is left of a delivery that a consumer took in part; its record is behind the consumer's position. */
export interface ConsumerRest {
  partition: number;
  /** The order within the partition, from 1. */
  seq: number;
  /** Of its record. */
  offset: bigint;
  /** When its record was published, ms. */
  publishedAt: number;
  value: Buffer;
}

interface RestRow {
  partition: number;
  seq: number;
  offset: string;
  publishedAt: number;
  value: Buffer;
}

/** Rests change in the transactions that move the positions of their partitions, and are whose the partitions are. */
export function createConsumerRests(sql: Sql) {
  return {
    /** In the transaction of an `advance` of their partitions: forgets `gone`, and keeps `kept` in place of what was there. */
    async leave(
      tx: Transaction,
      consumer: string,
      topic: string,
      gone: readonly Pick<ConsumerRest, 'partition' | 'seq'>[],
      kept: readonly ConsumerRest[],
    ): Promise<void> {
      if (gone.length > 0)
        await tx`
          delete from consumer_rests where consumer = ${consumer} and topic = ${topic} and (partition, seq) in (
            select partition, seq from json_to_recordset(${JSON.stringify(gone)}::text::json) as g(partition integer, seq bigint))`;
      if (kept.length === 0) return;
      const rows = kept.map(({ partition, seq, offset, publishedAt, value }) => {
        return { partition, seq, offset: String(offset), at: publishedAt, value: value.toString('base64') };
      });
      await tx`
        insert into consumer_rests (consumer, topic, partition, seq, record_offset, published_at, value)
        select ${consumer}, ${topic}, partition, seq, "offset", to_timestamp(at / 1000), decode(value, 'base64')
        from json_to_recordset(${JSON.stringify(rows)}::text::json)
          as k(partition integer, seq bigint, "offset" bigint, at float8, value text)
        on conflict (consumer, topic, partition, seq) do update set value = excluded.value`;
    },

    /** The rests of partitions in their order, as the last transaction left them. */
    async rests(consumer: string, topic: string, partitions: readonly number[]): Promise<ConsumerRest[]> {
      const rows = await sql<RestRow[]>`
        select partition, seq::float8 as seq, record_offset::text as offset, value,
          (extract(epoch from published_at) * 1000)::float8 as "publishedAt"
        from consumer_rests where consumer = ${consumer} and topic = ${topic}
          and partition = any(${`{${partitions.join(',')}}`}::integer[])
        order by partition, seq`;
      return rows.map((row) => ({ ...row, offset: BigInt(row.offset) }));
    },
  };
}

/** How many deliveries of a topic a consumer has taken in part. */
export async function countRests(sql: Queryable, consumer: string, topic: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::float8 as count from consumer_rests where consumer = ${consumer} and topic = ${topic}`;
  return row?.count ?? 0;
}
