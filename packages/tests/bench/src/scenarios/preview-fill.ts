import type { Sql } from '@tidewatch/store/connection';
import { BinaryRows } from '@tidewatch/store/samples/binary-rows';
import { copyInto } from '@tidewatch/store/samples/copy';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const COLUMNS = '(bucket, block_id, sum0, cnt0, min0, max0)';
const ROW_BYTES = 80;
/** One hour in a hundred is loud, for these of its minutes. */
const LOUD_OF_1024 = 10;
const LOUD_FROM = 10;
const LOUD_TO = 30;

/** Minutes `[from, to)` of so many hosts, both ends whole hours in ms. */
export interface History {
  hosts: number;
  from: number;
  to: number;
}

/**
 * Writes rollups of minutes and hours of one metric into a plain store in which nothing is yet, as a writer does: in the
 * order of time, a row for each host and minute. Each day is copied into a table of its own and indexed and attached
 * afterwards, frozen, so that no vacuum is owed. Two at once.
 */
export async function fillHistory(sql: Sql, { hosts, from, to }: History): Promise<void> {
  const blockIds = await addHosts(sql, hosts);
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let month = firstOfMonth(firstDay, 0); month < to; month = firstOfMonth(month, 1))
    await sql`select ensure_partition('rollup_1h', ${month}::timestamptz, ${firstOfMonth(month, 1)}::timestamptz)`;
  const days: number[] = [];
  for (let day = firstDay; day < to; day += DAY_MS) days.push(day);
  const write = async () => {
    const rows = new BinaryRows();
    for (let day = days.pop(); day !== undefined; day = days.pop())
      await writeDay(sql, day, { blockIds, from: Math.max(from, day), to: Math.min(to, day + DAY_MS) }, rows);
  };
  await Promise.all([write(), write()]);
  await sql`vacuum (analyze) rollup_1h, blocks, services`;
  await sql`analyze rollup_1m`;
}

async function addHosts(sql: Sql, hosts: number): Promise<number[]> {
  await sql`insert into services (org_id, id, host, first_seen, status_since)
    select o.id, 'svc_' || lpad(to_hex(n), 32, '0'), 'preview-' || lpad(n::text, 4, '0'), now(), now()
    from (select id from organizations limit 1) o cross join generate_series(1, ${hosts}::int) n`;
  const blocks = await sql<{ id: number }[]>`
    insert into blocks (org_id, service_id, subject_kind, subject_name, ordinal, metrics)
    select org_id, id, 'host', host, 0, array['cpu_percent'] from services where host like 'preview-%' order by host
    returning id`;
  return blocks.map(({ id }) => id);
}

function firstOfMonth(time: number, later: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

interface Part {
  blockIds: readonly number[];
  from: number;
  to: number;
}

async function writeDay(sql: Sql, day: number, part: Part, rows: BinaryRows): Promise<void> {
  const child = `rollup_1m_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const [from, to] = [new Date(day).toISOString(), new Date(day + DAY_MS).toISOString()];
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local role tidewatch_owner;
      drop table if exists ${child};
      create table ${child} (like rollup_1m, check (bucket >= '${from}' and bucket < '${to}'));
      select leave_values_unanalyzed('${child}')`);
    await copyInto(tx, `copy ${child} ${COLUMNS} from stdin (format binary, freeze)`, minutes(part, rows));
    await tx.unsafe(`create unique index on ${child} (block_id, bucket);
      alter table rollup_1m attach partition ${child} for values from ('${from}') to ('${to}')`);
    await copyInto(tx, `copy rollup_1h ${COLUMNS} from stdin (format binary)`, hours(part, rows));
  });
}

function* minutes({ blockIds, from, to }: Part, rows: BinaryRows): Generator<Uint8Array> {
  rows.reset();
  for (let at = from; at < to; at += MINUTE_MS) {
    for (const blockId of blockIds) {
      if (rows.isFull) yield rows.take();
      const value = valueAt(blockId, at);
      addRow(rows, at, blockId, { sum: value, count: 1, least: value, greatest: value });
    }
  }
  yield rows.finish();
}

function* hours({ blockIds, from, to }: Part, rows: BinaryRows): Generator<Uint8Array> {
  rows.reset();
  for (let hour = from; hour < to; hour += HOUR_MS) {
    for (const blockId of blockIds) {
      if (rows.isFull) yield rows.take();
      const figures = {
        sum: 0,
        count: 0,
        least: Number.POSITIVE_INFINITY,
        greatest: Number.NEGATIVE_INFINITY,
      };
      for (let at = hour; at < hour + HOUR_MS; at += MINUTE_MS) {
        const value = valueAt(blockId, at);
        figures.sum += value;
        figures.count += 1;
        figures.least = Math.min(figures.least, value);
        figures.greatest = Math.max(figures.greatest, value);
      }
      addRow(rows, hour, blockId, figures);
    }
  }
  yield rows.finish();
}

interface Figures {
  sum: number;
  count: number;
  least: number;
  greatest: number;
}

function addRow(rows: BinaryRows, at: number, blockId: number, figures: Figures): void {
  rows.row(6, ROW_BYTES);
  rows.time(at);
  rows.int4(blockId);
  rows.float8(figures.sum);
  rows.int4(figures.count);
  rows.float8(figures.least);
  rows.float8(figures.greatest);
}

/** 20 to 28, or 91 to 99 in the loud minutes of a loud hour. */
function valueAt(blockId: number, at: number): number {
  const minute = Math.floor(at / MINUTE_MS);
  const hour = Math.floor(minute / 60);
  const ofHour = minute % 60;
  const isLoud = ofHour >= LOUD_FROM && ofHour < LOUD_TO && mixed(blockId, hour) % 1024 < LOUD_OF_1024;
  return (isLoud ? 91 : 20) + (mixed(blockId, minute) % 1024) / 128;
}

/** A whole number that looks random, the same for the same two. */
function mixed(a: number, b: number): number {
  let mix = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return (mix ^ (mix >>> 16)) >>> 0;
}
