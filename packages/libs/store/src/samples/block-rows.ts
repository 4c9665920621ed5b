import type { Queryable, Transaction } from '../connection.ts';

export type SubjectKind = 'host' | 'container';

/** A block with the metrics of its slots; `metrics[slot]` is null where a slot is free. */
export interface BlockRow {
  service_id: string;
  id: number;
  subject_kind: SubjectKind;
  subject_name: string;
  ordinal: number;
  slots: number[];
  metrics: string[];
}

export interface NewBlock {
  organizationId: string;
  serviceId: string;
  subjectKind: SubjectKind;
  subjectName: string;
  ordinal: number;
}

/** All blocks of some services of one organization. */
export function findBlocks(tx: Queryable, organizationId: string, serviceIds: readonly string[]) {
  return tx<BlockRow[]>`
    select b.service_id, b.id, b.subject_kind, b.subject_name, b.ordinal,
      coalesce(array_agg(m.slot::integer order by m.slot) filter (where m.slot is not null), '{}') as slots,
      coalesce(array_agg(m.metric order by m.slot) filter (where m.slot is not null), '{}') as metrics
    from blocks b left join metric_slots m on m.org_id = b.org_id and m.block_id = b.id
    where b.org_id = ${organizationId} and b.service_id = any(${serviceIds}::text[])
    group by b.org_id, b.id, b.service_id, b.subject_kind, b.subject_name, b.ordinal`;
}

/** Creates blocks of one organization; answers their ids in the order given. */
export async function createBlocks(tx: Transaction, organizationId: string, blocks: readonly NewBlock[]) {
  const rows = await tx<{ n: number; id: number }[]>`
    with wanted as (
      select * from unnest(${blocks.map((block) => block.serviceId)}::text[],
        ${blocks.map((block) => block.subjectKind)}::text[], ${blocks.map((block) => block.subjectName)}::text[],
        ${blocks.map((block) => block.ordinal)}::integer[])
        with ordinality as w (service_id, subject_kind, subject_name, ordinal, n)
    ), made as (
      insert into blocks (org_id, service_id, subject_kind, subject_name, ordinal)
      select ${organizationId}, service_id, subject_kind, subject_name, ordinal from wanted order by n
      returning id, service_id, subject_kind, subject_name, ordinal
    )
    select w.n::integer as n, m.id from wanted w
    join made m on m.service_id = w.service_id and m.subject_kind = w.subject_kind
      and m.subject_name = w.subject_name collate "C" and m.ordinal = w.ordinal`;
  const ids = new Array<number>(blocks.length);
  for (const row of rows) ids[row.n - 1] = row.id;
  return ids;
}

export interface NewSlot {
  blockId: number;
  slot: number;
  metric: string;
}

/** Gives metrics their slots, for life. */
export async function createSlots(
  tx: Transaction,
  organizationId: string,
  slots: readonly NewSlot[],
): Promise<void> {
  await tx`
    insert into metric_slots (org_id, block_id, slot, metric)
    select ${organizationId}, s.block_id, s.slot, s.metric
    from unnest(${slots.map((slot) => slot.blockId)}::integer[], ${slots.map((slot) => slot.slot)}::smallint[],
      ${slots.map((slot) => slot.metric)}::text[]) as s (block_id, slot, metric)`;
}

export interface BlockStateRow {
  id: number;
  /** Time of the newest raw sample that was not ahead of its time, ms. */
  last_time: number | null;
  /** Newest bucket in rollup_1m, ms. */
  last_minute: number | null;
  /** Dirty minutes from the newest bucket on, ms: they stay out of the accumulator. */
  dirty: number[];
  times: (number | null)[] | null;
  vals: (number | null)[] | null;
}

/** Where blocks stand in the store, rows at or before `latest` (ms) considered. */
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

/** The values of the newest raw row of blocks, for those whose latest values were not flushed before a crash. */
export function findLastRows(tx: Queryable, rows: readonly { id: number; time: number }[]) {
  return tx<Record<string, number | null>[]>`
    select s.* from unnest(${rows.map((row) => row.id)}::integer[], ${rows.map((row) => row.time / 1000)}::float8[])
      as b (id, seconds)
    join samples s on s.block_id = b.id and s."time" = to_timestamp(b.seconds)`;
}
