import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { copyInto } from '@tidewatch/database/copy/copy';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { columnsOf, writeChunks, writeClosedDay } from '../../packed/write-packed.ts';
import { type Figures, figuresOf, SAMPLE_MS, sampleAt } from './preview-values.ts';

const FIGURES = '(bucket, block_id, sum0, cnt0, min0, max0)';
const ROW_BYTES = 80;

/**
 * The history to write, whole hours in ms: minutes and hours of `[from, to)`, samples of `[rawFrom, to)`, for `hosts`
 * hosts.
 */
export interface History {
  hosts: number;
  from: number;
  rawFrom: number;
  to: number;
}

/** What was written. */
export interface Written {
  samples: number;
  minutes: number;
  /** The hours of hosts, and those with a value above the threshold. */
  hours: number;
  loudHours: number;
}

interface Part {
  blockIds: readonly number[];
  from: number;
  to: number;
}

/** Writes samples of one metric 10 s apart, with their rollups, into an empty plain store in its layout. */
export async function fillHistory(sql: Sql, history: History, threshold: number): Promise<Written> {
  const { hosts, from, rawFrom, to } = history;
  const blockIds = await addHosts(sql, hosts);
  if ((await readSampleLayout(sql)) === 'log') await fillPacked(sql, blockIds, history);
  else await fillRows(sql, blockIds, history);
  await sql`analyze blocks, services`;
  return {
    samples: (hosts * (to - rawFrom)) / SAMPLE_MS,
    minutes: (hosts * (to - from)) / MINUTE_MS,
    hours: (hosts * (to - from)) / HOUR_MS,
    loudHours: countLoudHours({ blockIds, from, to }, threshold),
  };
}

function countLoudHours({ blockIds, from, to }: Part, threshold: number): number {
  const figures: Figures = { sum: 0, count: 0, least: 0, greatest: 0 };
  let loud = 0;
  for (let at = from; at < to; at += HOUR_MS)
    for (const blockId of blockIds)
      if (figuresOf(blockId, at, at + HOUR_MS, figures).greatest > threshold) loud += 1;
  return loud;
}

/** Days that have ended as closed days, those before raw retention without samples, and of the last day chunks of five minutes. */
async function fillPacked(
  sql: Sql,
  blockIds: readonly number[],
  { from, rawFrom, to }: History,
): Promise<void> {
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const columns = (blockId: number) => {
      const [start, end] = [Math.max(from, day), Math.min(to, day + DAY_MS)];
      const times = Float64Array.from(
        { length: (end - start) / SAMPLE_MS },
        (_, index) => start + index * SAMPLE_MS,
      );
      return columnsOf(times, [times.map((at) => sampleAt(blockId, at))]);
    };
    if (day + DAY_MS > to) await writeChunks(sql, blockIds, columns);
    else await writeClosedDay(sql, day, blockIds, { columns, keepsSamples: day + DAY_MS > rawFrom });
  }
}

/**
 * Each day is copied into a table that is then indexed, frozen and attached as a partition, two days at a time, so that no vacuum
 * is due.
 */
async function fillRows(
  sql: Sql,
  blockIds: readonly number[],
  { from, rawFrom, to }: History,
): Promise<void> {
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let month = firstOfMonth(firstDay, 0); month < to; month = firstOfMonth(month, 1))
    await sql`select ensure_partition('rollup_1h', ${month}::timestamptz, ${firstOfMonth(month, 1)}::timestamptz)`;
  const days: number[] = [];
  for (let day = firstDay; day < to; day += DAY_MS) days.push(day);
  const write = async () => {
    const rows = new BinaryRows();
    for (let day = days.pop(); day !== undefined; day = days.pop()) {
      const end = Math.min(to, day + DAY_MS);
      await writeRollups(sql, day, { blockIds, from: Math.max(from, day), to: end }, rows);
      const kept = { blockIds, from: Math.max(rawFrom, day), to: end };
      if (kept.from < kept.to) await writeSamples(sql, day, kept, rows);
    }
  };
  await Promise.all([write(), write()]);
  await sql`vacuum (analyze) rollup_1h`;
  await sql`analyze rollup_1m, samples`;
}

async function addHosts(sql: Sql, hosts: number): Promise<number[]> {
  await sql`insert into services (organization_id, id, host, first_seen, status_since)
    select o.id, 'svc_' || lpad(to_hex(n), 32, '0'), 'preview-' || lpad(n::text, 4, '0'), now(), now()
    from (select id from organizations limit 1) o cross join generate_series(1, ${hosts}::int) n`;
  const blocks = await sql<{ id: number }[]>`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
    select organization_id, id, 'host', host, 0, array['cpu_percent'] from services where host like 'preview-%' order by host
    returning id`;
  return blocks.map(({ id }) => id);
}

function firstOfMonth(time: number, later: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

async function writeRollups(sql: Sql, day: number, part: Part, rows: BinaryRows): Promise<void> {
  await sql.begin(async (tx) => {
    const table = { parent: 'rollup_1m', time: 'bucket', columns: FIGURES };
    await writeDay(tx, day, table, buckets(part, MINUTE_MS, rows));
    await copyInto(tx, `copy rollup_1h ${FIGURES} from stdin (format binary)`, buckets(part, HOUR_MS, rows));
  });
}

async function writeSamples(sql: Sql, day: number, part: Part, rows: BinaryRows): Promise<void> {
  const table = { parent: 'samples', time: '"time"', columns: '("time", block_id, v0)' };
  await sql.begin((tx) => writeDay(tx, day, table, samples(part, rows)));
}

/** Writes a day, and replaces its partition if there is one. */
async function writeDay(
  tx: Transaction,
  day: number,
  { parent, time, columns }: { parent: string; time: string; columns: string },
  pieces: Iterable<Uint8Array>,
): Promise<void> {
  const child = `${parent}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const [from, to] = [new Date(day).toISOString(), new Date(day + DAY_MS).toISOString()];
  await tx.unsafe(`set local role tidewatch_owner;
    drop table if exists ${child};
    create table ${child} (like ${parent}, check (${time} >= '${from}' and ${time} < '${to}'));
    select leave_values_unanalyzed('${child}')`);
  await copyInto(tx, `copy ${child} ${columns} from stdin (format binary, freeze)`, pieces);
  await tx.unsafe(`create unique index on ${child} (block_id, ${time});
    alter table ${parent} attach partition ${child} for values from ('${from}') to ('${to}')`);
}

function* samples({ blockIds, from, to }: Part, rows: BinaryRows): Generator<Uint8Array> {
  rows.reset();
  for (let at = from; at < to; at += SAMPLE_MS) {
    for (const blockId of blockIds) {
      if (rows.isFull) yield rows.take();
      rows.row(3, ROW_BYTES);
      rows.time(at);
      rows.int4(blockId);
      rows.float8(sampleAt(blockId, at));
    }
  }
  yield rows.finish();
}

function* buckets({ blockIds, from, to }: Part, width: number, rows: BinaryRows): Generator<Uint8Array> {
  const figures: Figures = { sum: 0, count: 0, least: 0, greatest: 0 };
  rows.reset();
  for (let at = from; at < to; at += width) {
    for (const blockId of blockIds) {
      if (rows.isFull) yield rows.take();
      figuresOf(blockId, at, at + width, figures);
      rows.row(6, ROW_BYTES);
      rows.time(at);
      rows.int4(blockId);
      rows.float8(figures.sum);
      rows.int4(figures.count);
      rows.float8(figures.least);
      rows.float8(figures.greatest);
    }
  }
  yield rows.finish();
}
