import { DAY_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChunkColumns } from './chunk.ts';
import { ColumnMemory } from './column-memory.ts';
import { encodeLogRow, LogRecords, readLogRecords } from './log-row.ts';
import {
  copyColumns,
  divideDays,
  MAX_SEALED_ROWS,
  mergeIntoChunks,
  type StoredChunk,
  touchedChunks,
} from './merge-chunks.ts';
import { anyNumber } from './numbers.fixture.ts';
import { PlacedRows } from './placed-rows.ts';

const MIDNIGHT = Date.UTC(2026, 10, 29);

/** The values of one block at one time, by slot. */
interface Row {
  block: number;
  time: number;
  values: Record<number, number>;
}

/** What is stored: for each time the value of each slot. */
type Model = Map<number, Record<number, number>>;

const rowOf = (times: fc.Arbitrary<number>, blocks: number): fc.Arbitrary<Row> =>
  fc.record({
    block: fc.integer({ min: 1, max: blocks }),
    time: times,
    values: fc.dictionary(fc.integer({ min: 0, max: 15 }).map(String), anyNumber, { maxKeys: 4 }),
  });

/** Times around midnight, near enough to one another that the same ones come again. */
const times = fc.integer({ min: -20, max: 20 }).map((step) => MIDNIGHT + step * 10_000);

/** Used again by all, as a seal does. */
const memory = new ColumnMemory();

function place(rows: readonly Row[], into = new PlacedRows()): PlacedRows {
  const records = new LogRecords();
  for (const { block, time, values } of rows)
    records.add(
      block,
      time,
      [block],
      Array.from({ length: 16 }, (_, slot) => values[slot] ?? Number.NaN),
    );
  for (const record of readLogRecords(encodeLogRow([{ seq: 1, records }]), () => true)) into.add(record);
  return into;
}

function modelOf(rows: readonly Row[], block: number): Model {
  const model: Model = new Map();
  for (const row of rows)
    if (row.block === block && Object.keys(row.values).length > 0)
      model.set(row.time, { ...model.get(row.time), ...row.values });
  return model;
}

function toModel(columns: ChunkColumns): Model {
  return new Map(
    Array.from(columns.times, (time, row) => {
      const values = columns.slots.map((column, slot) => [slot, column?.[row] ?? Number.NaN] as const);
      return [time, Object.fromEntries(values.filter(([, value]) => !Number.isNaN(value)))];
    }),
  );
}

/** The model as a list by time, in which -0 differs from 0. */
const listed = (model: Model) =>
  [...model].sort(([a], [b]) => a - b).map(([time, values]) => [time, Object.entries(values)]);

test('places rows that come late, twice and in parts as a map by time and slot does, in memory that is used again', () => {
  const placed = new PlacedRows();
  fc.assert(
    fc.property(fc.array(rowOf(times, 3), { maxLength: 60 }), (rows) => {
      placed.clear();
      place(rows, placed);
      const expected = [1, 2, 3].filter((block) => modelOf(rows, block).size > 0);
      expect(placed.blockIds()).toEqual(expected);
      let samples = 0;
      for (const { values } of rows) samples += Object.keys(values).length;
      expect(placed.samples).toBe(samples);
      for (const block of expected) {
        const model = modelOf(rows, block);
        expect(listed(toModel(placed.columnsOf(block, memory)))).toEqual(listed(model));
        const { earliest, latest, added, mask } = placed.summaryOf(block);
        expect([earliest, latest]).toEqual([Math.min(...model.keys()), Math.max(...model.keys())]);
        const own = rows.filter((row) => row.block === block && Object.keys(row.values).length > 0);
        expect(added).toBe(own.at(-1)?.time);
        const slots = new Set([...model.values()].flatMap((values) => Object.keys(values)));
        expect(mask).toBe([...slots].reduce((sum, slot) => sum + 2 ** Number(slot), 0));
      }
    }),
  );
});

/** Stored chunks in order of time, without the columns that need not be read. */
function storedFor(chunks: readonly ChunkColumns[], added: Float64Array): StoredChunk[] {
  const spans = chunks
    .map((columns) => ({ first: columns.times[0] as number, last: columns.times.at(-1) as number, columns }))
    .sort((a, b) => a.first - b.first);
  const read = new Set(touchedChunks(spans, added));
  return spans.map((chunk) => ({ ...chunk, columns: read.has(chunk) ? chunk.columns : null }));
}

function requireApart(chunks: readonly ChunkColumns[]): void {
  const spans = chunks
    .map(({ times: all }) => [all[0] as number, all.at(-1) as number] as const)
    .sort(([a], [b]) => a - b);
  for (const [index, [first, last]] of spans.entries()) {
    expect(first).toBeGreaterThan(spans[index - 1]?.[1] ?? Number.NEGATIVE_INFINITY);
    expect(Math.floor(first / DAY_MS)).toBe(Math.floor(last / DAY_MS));
  }
}

test('keeps chunks apart, within their days and complete, however rows are spread over seals', () => {
  const seals = fc.array(fc.array(rowOf(times, 1), { minLength: 1, maxLength: 12 }), { maxLength: 8 });
  fc.assert(
    fc.property(seals, (rounds) => {
      let chunks: ChunkColumns[] = [];
      for (const rows of rounds) {
        const placed = place(rows);
        if (placed.blockIds().length === 0) continue;
        for (const { columns } of divideDays(copyColumns(placed.columnsOf(1, memory)))) {
          const { replaced, written } = mergeIntoChunks(storedFor(chunks, columns.times), columns);
          chunks = [...chunks.filter(({ times: all }) => !replaced.includes(all[0] as number)), ...written];
        }
        requireApart(chunks);
      }
      const stored = new Map(chunks.flatMap((chunk) => [...toModel(chunk)]));
      expect(listed(stored)).toEqual(listed(modelOf(rounds.flat(), 1)));
    }),
  );
});

test('divides more rows than a chunk may have into parts of even size', () => {
  const count = MAX_SEALED_ROWS * 2 + 1;
  const columns = {
    times: Float64Array.from({ length: count }, (_, row) => MIDNIGHT + row),
    slots: [Float64Array.from({ length: count }, (_, row) => row)],
  };
  const { written } = mergeIntoChunks([], columns);
  expect(written.map(({ times: all }) => all.length)).toEqual([683, 683, 683]);
  expect(written.flatMap(({ slots }) => [...(slots[0] ?? [])])).toEqual([...columns.slots[0]!]);
});

test('refuses to replace a chunk that was not read', () => {
  const added = { times: Float64Array.of(MIDNIGHT), slots: [Float64Array.of(1)] };
  const stored = [{ first: MIDNIGHT - 1, last: MIDNIGHT + 1, columns: null }];
  expect(() => mergeIntoChunks(stored, added)).toThrow(RangeError);
});
