import { openStore, type Sql, type Store } from '@tidewatch/database/connection';
import { decodeChunk, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { damaged } from '@tidewatch/domain/chunk/damage.fixture';
import { encodeLogRow, LogRecords } from '@tidewatch/domain/chunk/log-row';
import { anyNumber, bitsOf, columnOf } from '@tidewatch/domain/chunk/numbers.fixture';
import { encodeRollupRow, type RollupColumns } from '@tidewatch/domain/chunk/rollup-row';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReaderDatabase } from './reader-login.harness.ts';

const BEGIN = Date.UTC(2026, 10, 29, 12);
const SLOTS = 16;
const RUNS = { numRuns: 25 };

/** Tests that the functions of SQL read the packed formats bit for bit, and refuse damaged bytes. */
export function describeUnpacking(backend: string, start: () => Promise<ReaderDatabase>): void {
  describe(`packed formats in SQL, ${backend}`, () => {
    let database: ReaderDatabase;
    let store: Store;
    let sql: Sql;

    beforeAll(async () => {
      database = await start();
      store = openStore({ url: database.adminUrl, max: 1 });
      ({ sql } = store);
    });
    afterAll(async () => {
      await store.close();
      await database.close();
    });

    it('reads chunks with columns, times and gaps of every kind bit for bit', async () => {
      const chunks = fc.integer({ min: 1, max: 150 }).chain((count) => {
        const column = fc.oneof(columnOf(count, 0), columnOf(count, 10), fc.constant(null));
        return fc.record({
          steps: fc.array(fc.integer({ min: 1, max: 1e5 }), { minLength: count, maxLength: count }),
          isEven: fc.boolean(),
          slots: fc.array(column, { minLength: SLOTS, maxLength: SLOTS }),
        });
      });
      await fc.assert(
        fc.asyncProperty(chunks, async ({ steps, isEven, slots }) => {
          let time = BEGIN;
          const times = Float64Array.from(steps, (step) => {
            time += isEven ? 10_000 : step;
            return time;
          });
          const wanted = slots.flatMap((column, slot) =>
            [...(column ?? [])].flatMap((value, row) =>
              Number.isNaN(value) ? [] : [[slot, times[row] as number, value]],
            ),
          );
          const found = await sql<number[][]>`
            select s.slot, u.at, u.value from generate_series(0, 15) s (slot)
            cross join lateral unpack_chunk(${encodeChunk({ times, slots })}::bytea, s.slot) u`.values();
          expect(plain(found)).toEqual(plain(wanted));
        }),
        RUNS,
      );
    });

    it('reads rollup rows bit for bit', async () => {
      const rows = fc.integer({ min: 1, max: 100 }).chain((steps) =>
        fc.array(fc.tuple(columnOf(steps, 20), columnOf(steps, 0), columnOf(steps, 0), columnOf(steps, 0)), {
          minLength: 1,
          maxLength: SLOTS,
        }),
      );
      await fc.assert(
        fc.asyncProperty(rows, async (drawn) => {
          const slots = drawn.map(([counts, ...others]): RollupColumns => {
            const column = (at: number) =>
              (others[at] as Float64Array).map((number, step) =>
                Number.isNaN(counts[step]) ? Number.NaN : number,
              );
            return { counts, sums: column(0), mins: column(1), maxs: column(2) };
          });
          const wanted = slots.flatMap(({ sums, counts, mins, maxs }, slot) =>
            [...counts.keys()]
              .filter((step) => !Number.isNaN(counts[step]))
              .map((step) => [slot, step, sums[step], counts[step], mins[step], maxs[step]] as number[]),
          );
          const bytes = encodeRollupRow(drawn[0]?.[0].length ?? 1, slots);
          const found = await sql<number[][]>`
            select s.slot, u.step, u.sum, u.count, u.min, u.max from generate_series(0, 15) s (slot)
            cross join lateral unpack_rollups(${bytes}::bytea, s.slot) u`.values();
          expect(plain(found)).toEqual(plain(wanted));
        }),
        RUNS,
      );
    });

    it('reads the records of one subject in rows of the log bit for bit, one slot or all', async () => {
      const value = fc.oneof({ weight: 3, arbitrary: anyNumber }, fc.constant(Number.NaN));
      const record = fc.record({
        anchor: fc.constantFrom(3, 300),
        time: fc.integer({ min: BEGIN, max: BEGIN + 1e6 }),
        ids: fc.uniqueArray(fc.constantFrom(3, 4, 1_000_000), { minLength: 1 }),
        values: fc.array(value, { minLength: 3 * SLOTS, maxLength: 3 * SLOTS }),
      });
      const sections = fc.array(fc.array(record, { maxLength: 6 }), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(sections, async (drawn) => {
          const bytes = encodeLogRow(
            drawn.map((own, section) => {
              const records = new LogRecords();
              for (const { anchor, time, ids, values } of own) records.add(anchor, time, ids, values);
              return { seq: section * 2 ** 40, records };
            }),
          );
          const wanted = drawn.flatMap((own, section) =>
            own
              .filter(({ anchor }) => anchor === 300)
              .flatMap(({ time, ids, values }) =>
                ids.flatMap((id, block) =>
                  values.slice(block * SLOTS, (block + 1) * SLOTS).flatMap((number, slot) => {
                    return Number.isNaN(number) ? [] : [[section * 2 ** 40, time, id, slot, number]];
                  }),
                ),
              ),
          );
          const read = async (block: number | null, slot: number | null) =>
            plain(
              await sql<number[][]>`
                select u.seq::float8, u.at, u.block_id, u.slot, u.value
                from unpack_log_row(${bytes}::bytea, 300, ${block}::int, ${slot}::int) u`.values(),
            );
          expect(await read(null, null)).toEqual(plain(wanted));
          expect(await read(4, 5)).toEqual(plain(wanted.filter(([, , id, slot]) => id === 4 && slot === 5)));
        }),
        RUNS,
      );
    });

    it.each([
      ['chunk', 'unpack_chunk(data, 3)', encodeChunk(exampleChunk())],
      ['rollup row', 'unpack_rollups(data, 0)', encodeRollupRow(2, [exampleRollups()])],
      ['row of the log', 'unpack_log_row(data, 1, null, null)', exampleLogRow()],
    ])('finds every cut and every changed byte of a %s', async (_, call, bytes) => {
      const cases = [...damaged(bytes)];
      await sql.unsafe(`create or replace function pg_temp.is_read(data bytea) returns boolean language plpgsql as $$
        begin
          perform * from tidewatch.${call};
          return true;
        exception when data_corrupted or array_subscript_error or numeric_value_out_of_range then
          return false;
        end $$`);
      const [whole] = await sql`select pg_temp.is_read(${bytes}::bytea) as read`;
      expect(whole).toEqual({ read: true });
      const unnoticed = await sql<{ place: number }[]>`
        select d.place::int from unnest(${cases.map((each) => each.bytes.toString('hex'))}::text[]) with ordinality as d (hex, place)
        where pg_temp.is_read(decode(d.hex, 'hex'))`;
      expect(unnoticed.map(({ place }) => cases[place - 1]?.what)).toEqual([]);
    });

    it('reads a day of 8,640 rows', async () => {
      let value = 5_000;
      const walk = Float64Array.from({ length: 8_640 }, (_, row) => {
        value += ((row * 7_919) % 201) - 100;
        return value / 100;
      });
      const times = Float64Array.from({ length: 8_640 }, (_, row) => BEGIN + row * 10_000);
      const bytes = encodeChunk({ times, slots: [walk] });
      const found = await sql<
        number[][]
      >`select u.at, u.value from unpack_chunk(${bytes}::bytea, 0) u`.values();
      const decoded = decodeChunk(bytes);
      const wanted = [...decoded.times].map((time, row) => [time, decoded.slots[0]?.[row] as number]);
      expect(plain(found)).toEqual(plain(wanted));
    });
  });
}

/** Rows of numbers by their bits, by which -0 differs from 0. */
function plain(rows: Iterable<unknown>): string[] {
  return Array.from(rows, (row) => bitsOf(Float64Array.from(row as number[])));
}

/** A chunk of one slot: a reader checks no other. */
function exampleChunk() {
  const slots = Array.from({ length: SLOTS }, (_, slot) =>
    slot === 3 ? Float64Array.of(1.5, Number.NaN, 1.25, 1.27) : null,
  );
  return { times: Float64Array.of(1, 2, 40, 41), slots };
}

function exampleRollups(): RollupColumns {
  const column = (value: number) => Float64Array.of(value, Number.NaN);
  return { sums: column(342.6), counts: column(6), mins: column(57.05), maxs: column(1 / 3) };
}

function exampleLogRow(): Buffer {
  const records = new LogRecords();
  const values = new Array<number>(SLOTS).fill(Number.NaN);
  records.add(1, BEGIN, [1], values.with(0, 57.31).with(9, 1 / 3));
  records.add(1, BEGIN + 1, [1], values.with(2, -4));
  return encodeLogRow([{ seq: 9, records }]);
}
