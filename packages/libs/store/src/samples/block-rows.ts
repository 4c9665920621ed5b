import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** What blocks belong to: a host, one of its containers, or all of its parts together. */
export type SubjectKind = 'host' | 'container' | 'part';

/** A block with the metrics of its slots; '' marks an unused slot. */
export interface BlockRow {
  service_id: string;
  id: number;
  subject_kind: SubjectKind;
  subject_name: string;
  ordinal: number;
  metrics: string[];
  /** The ids of the parts that the slots belong to; empty for other subjects. */
  parts: number[];
}

export interface NewBlock {
  serviceId: string;
  subjectKind: SubjectKind;
  subjectName: string;
  ordinal: number;
  /** The metrics of the first slots of the block. */
  metrics: readonly string[];
  /** The ids of the parts of these slots; none for other subjects. */
  parts?: readonly number[];
}

/** Reads all blocks of the given services of one organization. */
export function findBlocks(tx: Queryable, organizationId: string, serviceIds: readonly string[]) {
  return tx<BlockRow[]>`
    select service_id, id, subject_kind, subject_name, ordinal, metrics, parts
    from blocks where organization_id = ${organizationId} and service_id = any(${serviceIds}::text[])`;
}

/** Creates blocks of one organization; returns their ids in order. */
export async function createBlocks(tx: Transaction, organizationId: string, blocks: readonly NewBlock[]) {
  const rows = await tx<{ n: number; id: number }[]>`
    with wanted as materialized (
      select * from unnest(${blocks.map((block) => block.serviceId)}::text[],
        ${blocks.map((block) => block.subjectKind)}::text[], ${blocks.map((block) => block.subjectName)}::text[],
        ${blocks.map((block) => block.ordinal)}::integer[], ${blocks.map((block) => arrayText(block.metrics))}::text[],
        ${blocks.map((block) => numbersText(block.parts))}::text[])
        with ordinality as w (service_id, subject_kind, subject_name, ordinal, metrics, parts, n)
    ), made as (
      insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
      select ${organizationId}, service_id, subject_kind, subject_name, ordinal, metrics::text[], parts::integer[] from wanted order by n
      returning id, service_id, subject_kind, subject_name, ordinal
    )
    select w.n::integer as n, m.id from wanted w
    join made m on m.service_id = w.service_id and m.subject_kind = w.subject_kind
      and m.subject_name = w.subject_name collate "C" and m.ordinal = w.ordinal`;
  const ids = new Array<number>(blocks.length);
  for (const row of rows) ids[row.n - 1] = row.id;
  return ids;
}

/**
 * The text of a PostgreSQL array of arrays: a parameter cannot contain arrays of different lengths, and JSON takes twice as
 * long to parse.
 */
function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function numbersText(numbers: readonly number[] = []): string {
  return `{${numbers.join(',')}}`;
}

/** Another writer has assigned slots of a block: roll back, read the blocks again and retry. */
export class SlotsTakenError extends Error {
  override name = 'SlotsTakenError';
}

export interface BlockGrowth {
  blockId: number;
  /** The number of assigned slots when the block was read. */
  taken: number;
  /** The metrics of the slots that follow. */
  metrics: readonly string[];
  /** The ids of the parts of these slots; none for other subjects. */
  parts?: readonly number[];
}

/**
 * Permanently assigns the next slots of blocks to metrics. Throws SlotsTakenError if the number of slots differs from
 * `taken`, since then another writer has assigned some.
 */
export async function growBlocks(
  tx: Transaction,
  organizationId: string,
  growths: readonly BlockGrowth[],
): Promise<void> {
  const rows = [...growths].sort((a, b) => a.blockId - b.blockId);
  const { count } = await tx`
    update blocks b set metrics = b.metrics || g.metrics::text[], parts = b.parts || g.parts::integer[]
    from unnest(${rows.map((row) => row.blockId)}::integer[], ${rows.map((row) => row.taken)}::integer[],
      ${rows.map((row) => arrayText(row.metrics))}::text[], ${rows.map((row) => numbersText(row.parts))}::text[])
      as g (id, taken, metrics, parts)
    where b.organization_id = ${organizationId} and b.id = g.id and cardinality(b.metrics) = g.taken`;
  if (count !== growths.length) throw new SlotsTakenError('another writer has assigned slots of a block');
}

export interface BlockStateRow {
  id: number;
  /** The time of the newest raw sample at or before `latest`, ms; null if there is none. */
  last_time: number | null;
  /** The newest bucket in rollup_1m, ms. */
  last_minute: number | null;
  /** Dirty minutes from the newest bucket on, ms, which the accumulator leaves out. */
  dirty: number[];
  times: (number | null)[] | null;
  vals: (number | null)[] | null;
}

/** Reads the stored state of blocks from rows at or before `latest` (ms). */
export function findBlockStates(tx: Queryable, blockIds: readonly number[], latest: number) {
  return tx<BlockStateRow[]>`
    select b.id, s.t as last_time, r.bucket as last_minute, l.times, l.vals,
      coalesce((select array_agg(d.bucket) from dirty_buckets d
        where d.tier = '1m' and d.block_id = b.id and d.bucket >= coalesce(s.t, '-infinity') - interval '1 minute'), '{}') as dirty
    from unnest(${blockIds}::integer[]) as b (id)
    left join lateral (select max("time") as t from samples where block_id = b.id and "time" <= ${latest}::timestamptz) s on true
    left join lateral (select max(bucket) as bucket from rollup_1m where block_id = b.id and bucket <= ${latest}::timestamptz) r on true
    left join block_latest l on l.block_id = b.id`;
}

/** Reads the values of the newest raw row of blocks whose latest values were not flushed before a crash. */
export function findLastRows(tx: Queryable, rows: readonly { id: number; time: number }[]) {
  return tx<Record<string, number | null>[]>`
    select s.* from unnest(${rows.map((row) => row.id)}::integer[], ${rows.map((row) => row.time / 1000)}::float8[])
      as b (id, seconds)
    join samples s on s.block_id = b.id and s."time" = to_timestamp(b.seconds)`;
}
