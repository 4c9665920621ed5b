import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { ChunkReader } from '@tidewatch/domain/chunk/chunk';
import { type RollupColumns, RollupRowReader } from '@tidewatch/domain/chunk/rollup-row';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { monthOf } from '@tidewatch/domain/rollup/month-rollups';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { type RowBlock, SampleRows } from '../samples/sample-rows.ts';
import { mergeInto, SAMPLE_COLUMNS, SLOT_COLUMNS, stageSamples } from '../samples/write-samples.ts';
import { dateOf } from './packed-partitions.ts';

/**
 * Merges rows older than raw retention into samples_backfill, as `writeBackfill` does, without the values that packed rollups
 * presumably contain: those that the samples of the day have, or that are within minimum and maximum of their step in the finest
 * rollup of the day. Returns how many values were left out. Each block and time may occur once; the partitions have to exist.
 */
export async function writePackedBackfill<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
  buffer: BinaryRows,
): Promise<number> {
  if (rows.length === 0) return 0;
  const backfilled = await readBackfilled(tx, rows);
  const kept = new SampleRows<B>();
  let copies = 0;
  const numbers = Array.from({ length: rows.length }, (_, row) => row);
  for (const [day, ofDay] of Map.groupBy(numbers, (row) => bucketOf(rows.times[row] as number, DAY_MS))) {
    const byBlock = Map.groupBy(ofDay, (row) => (rows.blocks[row] as B).id);
    const known = await readKnown(tx, day, [...byBlock.keys()]);
    for (const [blockId, own] of byBlock)
      for (const row of own)
        copies += keep(rows, row, kept, known.get(blockId), backfilled.get(`${blockId}/${rows.times[row]}`));
  }
  if (kept.length === 0) return copies;
  await stageSamples(tx, kept, buffer);
  await tx.unsafe(MERGE);
  return copies;
}

const MERGE = mergeInto('samples_backfill', `select ${SAMPLE_COLUMNS} from staged_samples`);

/** Adds the row to `kept` without the values that are known; returns how many of these there are. */
function keep<B extends RowBlock>(
  rows: SampleRows<B>,
  row: number,
  kept: SampleRows<B>,
  known: KnownDay | undefined,
  backfilled: (number | null)[] | undefined,
): number {
  const time = rows.times[row] as number;
  let copies = 0;
  let to = -1;
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    const value = rows.values[row * SLOTS_PER_BLOCK + slot] as number;
    if (Number.isNaN(value)) continue;
    // A newer value replaces one that was backfilled before, which no rollup contains.
    if ((backfilled?.[slot] ?? null) === null && known?.contains(slot, time, value)) {
      copies += 1;
      continue;
    }
    if (to < 0) to = kept.append(rows.blocks[row] as B, time);
    kept.values[to * SLOTS_PER_BLOCK + slot] = value;
  }
  return copies;
}

/** The values of these rows that were backfilled before, by block and time. */
async function readBackfilled<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
): Promise<Map<string, (number | null)[]>> {
  // "offset 0" makes the planner use an index lookup for each row.
  const found = await tx<{ block_id: number; time: number; numbers: (number | null)[] }[]>`
    select k.block_id, k."time", array[${tx.unsafe(SLOT_COLUMNS.map((slot) => `f.${slot}`).join(', '))}] as numbers
    from unnest(${rows.blocks.map((block) => block.id)}::integer[],
      ${[...rows.times.subarray(0, rows.length)]}::timestamptz[]) as k (block_id, "time")
    cross join lateral (
      select * from samples_backfill f where f.block_id = k.block_id and f."time" = k."time" offset 0) f`;
  return new Map(found.map((row) => [`${row.block_id}/${row.time}`, row.numbers]));
}

/** What is stored of a block and day. */
class KnownDay {
  readonly #samples: ChunkReader | null;
  readonly #rollups: { reader: RollupRowReader; from: number; widthMs: number } | null;
  readonly #rows = new Map<number, number>();
  readonly #columns = new Map<number, Float64Array | null>();
  readonly #steps = new Map<number, RollupColumns | null>();

  constructor(samples: Buffer | undefined, rollups: { data: Buffer; from: number; widthMs: number } | null) {
    this.#samples = samples === undefined ? null : readable(() => new ChunkReader(samples));
    this.#rollups = rollups && readable(() => ({ ...rollups, reader: new RollupRowReader(rollups.data) }));
    const times = this.#samples && readable(() => this.#samples?.times() ?? null);
    for (const [row, time] of (times ?? []).entries()) this.#rows.set(time, row);
  }

  contains(slot: number, time: number, value: number): boolean {
    const row = this.#rows.get(time);
    if (row !== undefined && !Number.isNaN(this.#column(slot)?.[row] ?? Number.NaN)) return true;
    const rollups = this.#rollups;
    if (rollups === null) return false;
    const columns = this.#stepsOf(slot);
    const step = Math.floor((time - rollups.from) / rollups.widthMs);
    // Comparisons with NaN, of a step without samples, are false.
    return (
      columns !== null && value >= (columns.mins[step] as number) && value <= (columns.maxs[step] as number)
    );
  }

  #column(slot: number): Float64Array | null {
    return memoized(this.#columns, slot, () => this.#samples?.slot(slot) ?? null);
  }

  #stepsOf(slot: number): RollupColumns | null {
    return memoized(this.#steps, slot, () => this.#rollups?.reader.slot(slot) ?? null);
  }
}

function memoized<V>(values: Map<number, V | null>, slot: number, read: () => V | null): V | null {
  const known = values.get(slot);
  if (known !== undefined) return known;
  const value = readable(read);
  values.set(slot, value);
  return value;
}

/** What `read` returns; null for damaged bytes, of which nothing is known. */
function readable<V>(read: () => V): V | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedBytesError) return null;
    throw error;
  }
}

/** What is stored of these blocks on a day: its samples, and the finest rollup that there is. */
async function readKnown(
  tx: Transaction,
  day: number,
  ids: readonly number[],
): Promise<Map<number, KnownDay>> {
  const date = dateOf(day);
  const rows = await tx<
    {
      block_id: number;
      samples: Buffer | null;
      minutes: Buffer | null;
      hours: Buffer | null;
      days: Buffer | null;
    }[]
  >`
    select b.id as block_id, s.data as samples, m.data as minutes,
      case when m.data is null then h.data end as hours,
      case when m.data is null and h.data is null then d.data end as days
    from unnest(${ids as number[]}::integer[]) as b (id)
    left join lateral (select data from sample_days where day = ${date}::date and block_id = b.id offset 0) s on true
    left join lateral (select data from packed_minutes where day = ${date}::date and block_id = b.id offset 0) m on true
    left join lateral (select data from packed_hours where day = ${date}::date and block_id = b.id offset 0) h on true
    left join lateral (
      select data from packed_days where month = ${dateOf(monthOf(day))}::date and block_id = b.id offset 0) d on true`;
  return new Map(
    rows.map(({ block_id, samples, minutes, hours, days }) => {
      const rollups =
        minutes !== null
          ? { data: minutes, from: day, widthMs: MINUTE_MS }
          : hours !== null
            ? { data: hours, from: day, widthMs: HOUR_MS }
            : days !== null
              ? { data: days, from: monthOf(day), widthMs: DAY_MS }
              : null;
      return [block_id, new KnownDay(samples ?? undefined, rollups)];
    }),
  );
}
