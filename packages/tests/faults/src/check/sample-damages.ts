import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { type ChunkColumns, decodeChunk, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { type Damage, toRow } from './damage.ts';

const FOUND = /rows differ/;
const RELATIONS = ['sample_days', 'sample_chunks'] as const;

interface PackedRow {
  relation: (typeof RELATIONS)[number];
  block_id: number;
  data: Buffer;
}

/** Copies what is stored of a block, so that it can be restored, and returns a row of it that readers read. */
async function keepBlock(sql: Sql): Promise<PackedRow> {
  const [row] = await sql<PackedRow[]>`
    select * from (
      select 'sample_days' as relation, block_id, data from sample_days
      union all
      select 'sample_chunks', block_id, data from sample_chunks c
      where not exists (select from sample_days d where d.block_id = c.block_id and d.day = c.first::date)
    ) packed
    where block_id in (
      select b.id from blocks b join services v on v.organization_id = b.organization_id and v.id = b.service_id
      where starts_with(v.host, 'bench-'))
    limit 1`;
  if (row === undefined) throw new Error('no sample of the load is sealed');
  for (const relation of RELATIONS)
    await sql.unsafe(`drop table if exists kept_${relation};
      create table kept_${relation} as select * from ${relation} where block_id = ${row.block_id}`);
  return row;
}

async function restoreBlock(sql: Sql): Promise<void> {
  for (const relation of RELATIONS)
    await sql.unsafe(`delete from ${relation} where block_id in (select block_id from kept_sample_days union select block_id from kept_sample_chunks);
      insert into ${relation} select * from kept_${relation}`);
  for (const relation of RELATIONS) await sql.unsafe(`drop table kept_${relation}`);
}

/** Stores other columns in place of those of one row. */
async function change(sql: Sql, by: (columns: ChunkColumns) => ChunkColumns): Promise<void> {
  const { relation, block_id: block, data } = await keepBlock(sql);
  await sql`update ${sql(relation)} set data = ${encodeChunk(by(decodeChunk(data)))} where block_id = ${block} and data = ${data}`;
}

/** Adds chunks that hold the same samples twice. */
async function double(sql: Sql): Promise<void> {
  const { block_id: block, data } = await keepBlock(sql);
  const columns = decodeChunk(data);
  const day = Math.floor((columns.times[0] as number) / DAY_MS) * DAY_MS;
  await sql`select ensure_packed_partition('sample_chunks', ${day}::timestamptz, ${day + DAY_MS}::timestamptz)`;
  for (const { times, slots } of [columns, withoutFirst(columns)])
    await sql`
      insert into sample_chunks (block_id, first, last, data)
      values (${block}, ${times[0] as number}::timestamptz, ${times.at(-1) as number}::timestamptz, ${encodeChunk({ times, slots })})
      on conflict do nothing`;
}

function withoutFirst({ times, slots }: ChunkColumns): ChunkColumns {
  return { times: times.subarray(1), slots: slots.map((numbers) => numbers?.subarray(1) ?? null) };
}

function withFirstRaised({ times, slots }: ChunkColumns): ChunkColumns {
  const raised = slots.map(
    (numbers) => numbers?.map((value, row) => (row === 0 ? value + 1 : value)) ?? null,
  );
  return { times, slots: raised };
}

const row = toRow('samples', 'block_id, "time"', '');

/** Damages to samples, by the layout in which a database keeps them. */
export const SAMPLE_DAMAGES: Readonly<Record<SampleLayout, readonly Damage[]>> = {
  rows: [
    { name: 'a sample removed', found: FOUND, ...row('delete from samples where $same') },
    { name: 'a sample altered', found: FOUND, ...row('update samples set v3 = v3 + 1 where $same') },
    {
      name: 'a sample doubled',
      found: FOUND,
      ...row('drop index samples_key; insert into samples select * from $kept'),
    },
  ],
  log: [
    {
      name: 'a sample removed',
      found: FOUND,
      inflict: (sql) => change(sql, withoutFirst),
      repair: restoreBlock,
    },
    {
      name: 'a sample altered',
      found: FOUND,
      inflict: (sql) => change(sql, withFirstRaised),
      repair: restoreBlock,
    },
    { name: 'a sample doubled', found: /overlaps another/, inflict: double, repair: restoreBlock },
  ],
};
