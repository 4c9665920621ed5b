import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';

/** The rest of a delivery that a consumer applied in part; the consumer's position is already past the record. */
export interface ConsumerRest {
  partition: number;
  /** The place in the order of the partition's rests, from 1. */
  seq: number;
  offset: bigint;
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

/** Rests of partly applied deliveries, written in the transactions that move the positions of their partitions. */
export function createConsumerRests(sql: Sql) {
  return {
    /** Deletes the rests `gone` and stores `kept`; must be called in the transaction of an `advance` of their partitions. */
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

    /** Reads the rests of partitions in order. */
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

/** Counts the deliveries of a topic that a consumer has applied in part. */
export async function countRests(sql: Queryable, consumer: string, topic: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::float8 as count from consumer_rests where consumer = ${consumer} and topic = ${topic}`;
  return row?.count ?? 0;
}
