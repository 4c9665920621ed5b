import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { type ChunkColumns, decodeChunk, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { mergeIntoChunks } from '@tidewatch/domain/chunk/merge-chunks';
import { decodeRollupRow } from '@tidewatch/domain/chunk/rollup-row';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { monthOf } from '@tidewatch/domain/rollup/month-rollups';
import type { BlockDay } from './block-days.ts';
import { dateOf, ensurePackedPartitions } from './packed-partitions.ts';
import { rewriteClosedDays } from './rewrite-closed.ts';

/** Hundredths by slot. */
type Row = Map<number, number>;

/** Every sample of blocks in memory, as hundredths, so that the model adds integers. */
export class DayModel {
  readonly #blocks = new Map<number, Map<number, Row>>();

  get blockIds(): number[] {
    return [...this.#blocks.keys()];
  }

  add(blockId: number, time: number, row: Row): void {
    const block = this.#blocks.get(blockId) ?? new Map<number, Row>();
    this.#blocks.set(blockId, block);
    block.set(time, new Map([...(block.get(time) ?? []), ...row]));
  }

  delete(blockId: number): void {
    this.#blocks.delete(blockId);
  }

  /** The samples of a block and day, as `samplesOf` has them. */
  samples(blockId: number, day: number): Record<number, [slot: number, value: number][]> {
    const rows = [...(this.#blocks.get(blockId) ?? [])].filter(([time]) => bucketOf(time, DAY_MS) === day);
    return Object.fromEntries(
      rows.map(([time, row]) => [
        time,
        [...row].sort(([a], [b]) => a - b).map(([slot, value]) => [slot, value / 100]),
      ]),
    );
  }

  /** The steps of a block that begin in a range, as `stepsOf` has them. */
  steps(blockId: number, from: number, to: number, widthMs: number): Record<string, number[]> {
    const steps = new Map<string, number[]>();
    for (const [time, row] of this.#blocks.get(blockId) ?? []) {
      if (time < from || time >= to) continue;
      for (const [slot, value] of row) {
        const key = `${slot}/${(bucketOf(time, widthMs) - from) / widthMs}`;
        steps.set(key, [...(steps.get(key) ?? []), value]);
      }
    }
    return Object.fromEntries(
      [...steps].map(([key, values]) => {
        const sum = values.reduce((total, value) => total + value, 0);
        return [key, [sum / 100, values.length, Math.min(...values) / 100, Math.max(...values) / 100]];
      }),
    );
  }
}

/** Columns of rows. */
export function columnsOf(rows: readonly { time: number; row: Row }[]): ChunkColumns {
  const sorted = [...rows].sort((a, b) => a.time - b.time);
  const slots = Array.from({ length: 16 }, (_, slot) => {
    if (!sorted.some(({ row }) => row.has(slot))) return null;
    return Float64Array.from(sorted, ({ row }) => (row.get(slot) ?? Number.NaN) / 100);
  });
  return { times: Float64Array.from(sorted, ({ time }) => time), slots };
}

/** Random samples of a block and day, every 10 s from a random time on, which the model gets too. */
export function drawDay(
  random: () => number,
  model: DayModel,
  blockId: number,
  day: number,
  count: number,
): BlockDay {
  const begin = Math.floor(random() * DAY_MS);
  const rows = Array.from({ length: count }, (_, at) => {
    const time = day + ((begin + at * 10_000) % DAY_MS);
    const slots = Array.from({ length: 16 }, (_, slot) => slot).filter(() => random() < 0.6);
    const row = new Map(slots.map((slot) => [slot, Math.round((random() - 0.3) * 1e6)] as const));
    return { time, row: row.size === 0 ? new Map([[0, 1]]) : row };
  });
  for (const { time, row } of rows) model.add(blockId, time, row);
  return { blockId, day, columns: columnsOf(rows) };
}

/** Writes samples as a seal does: into closed days, and else as chunks. */
export function seal(sql: Sql, days: readonly BlockDay[], now: number): Promise<void> {
  return transact(sql, (tx) => sealIn(tx, days, now));
}

export async function sealIn(tx: Transaction, days: readonly BlockDay[], now: number): Promise<void> {
  const { open } = await rewriteClosedDays(tx, days, now);
  await ensurePackedPartitions(tx, { sample_chunks: open.map(({ day }) => day) });
  for (const { blockId, day, columns } of open) {
    const stored = await tx<{ first: number; last: number; data: Buffer }[]>`
      select first, last, data from sample_chunks
      where block_id = ${blockId} and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz order by first`;
    const chunks = stored.map(({ first, last, data }) => ({ first, last, columns: decodeChunk(data) }));
    const { replaced, written } = mergeIntoChunks(chunks, columns);
    for (const first of replaced)
      await tx`delete from sample_chunks where block_id = ${blockId} and first = ${first}::timestamptz`;
    for (const chunk of written)
      await tx`
        insert into sample_chunks (block_id, first, last, data)
        values (${blockId}, ${chunk.times[0] as number}::timestamptz, ${chunk.times.at(-1) as number}::timestamptz,
          ${encodeChunk(chunk)})`;
  }
}

/** What is stored of a block and closed day. */
export async function readStored(sql: Sql, blockId: number, day: number) {
  const read = async (relation: string, column: string, time: number) => {
    const [row] = await sql<{ data: Buffer }[]>`
      select data from ${sql(relation)} where block_id = ${blockId} and ${sql(column)} = ${dateOf(time)}::date`;
    return row?.data ?? null;
  };
  const samples = await read('sample_days', 'day', day);
  return {
    samples: samples === null ? {} : samplesOf(samples),
    minutes: stepsOf(await read('packed_minutes', 'day', day)),
    hours: stepsOf(await read('packed_hours', 'day', day)),
    days: stepsOf(await read('packed_days', 'month', monthOf(day))),
  };
}

/** What has to be stored of a block and closed day. */
export function wantedOf(
  model: DayModel,
  blockId: number,
  day: number,
): Awaited<ReturnType<typeof readStored>> {
  const month = monthOf(day);
  return {
    samples: model.samples(blockId, day),
    minutes: model.steps(blockId, day, day + DAY_MS, MINUTE_MS),
    hours: model.steps(blockId, day, day + DAY_MS, HOUR_MS),
    days: model.steps(blockId, month, monthOf(month + 31 * DAY_MS), DAY_MS),
  };
}

function samplesOf(data: Buffer): Record<number, [slot: number, value: number][]> {
  const { times, slots } = decodeChunk(data);
  return Object.fromEntries(
    [...times].map((time, at) => [
      time,
      slots.flatMap((column, slot): [number, number][] => {
        const value = column?.[at] ?? Number.NaN;
        return Number.isNaN(value) ? [] : [[slot, value]];
      }),
    ]),
  );
}

/** Sum, count, min and max by slot and step. */
function stepsOf(data: Buffer | null): Record<string, number[]> {
  if (data === null) return {};
  return Object.fromEntries(
    decodeRollupRow(data).slots.flatMap((slot, at) =>
      [...(slot?.counts ?? [])].flatMap((count, step): [string, number[]][] =>
        Number.isNaN(count) || slot === null
          ? []
          : [[`${at}/${step}`, [slot.sums[step], count, slot.mins[step], slot.maxs[step]] as number[]]],
      ),
    ),
  );
}
