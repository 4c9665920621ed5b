import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { ChunkColumns } from './chunk.ts';

/** A chunk of this many rows is still quick to write again for a late sample. */
export const MAX_SEALED_ROWS = 1_024;

/** Where a chunk begins and ends, the times of its first and its last row, ms. */
export interface ChunkSpan {
  first: number;
  last: number;
}

/** A stored chunk; its columns have to be known only where new rows lie between its first and its last row. */
export interface StoredChunk extends ChunkSpan {
  columns: ChunkColumns | null;
}

/** What has to be written so that new rows stand in chunks. */
export interface ChunkChanges {
  /** The first times of stored chunks that are replaced. */
  replaced: number[];
  written: ChunkColumns[];
}

/** Merges rows by time. Of equal times those of `newer` count, slot by slot. */
export function mergeColumns(older: ChunkColumns, newer: ChunkColumns): ChunkColumns {
  const { times, olderRows, newerRows } = mergeTimes(older.times, newer.times);
  const slots = older.slots.map((_, slot) => {
    const before = older.slots[slot] ?? null;
    const after = newer.slots[slot] ?? null;
    if (before === null && after === null) return null;
    const merged = new Float64Array(times.length).fill(Number.NaN);
    if (before !== null) place(before, olderRows, merged);
    if (after !== null) place(after, newerRows, merged);
    return merged;
  });
  return { times, slots };
}

function place(numbers: Float64Array, rows: Uint32Array, into: Float64Array): void {
  for (let row = 0; row < numbers.length; row += 1) {
    const value = numbers[row] as number;
    if (!Number.isNaN(value)) into[rows[row] as number] = value;
  }
}

/** The times of both, ascending and each once, and the row that each time of either gets. */
function mergeTimes(older: Float64Array, newer: Float64Array) {
  const merged = new Float64Array(older.length + newer.length);
  const olderRows = new Uint32Array(older.length);
  const newerRows = new Uint32Array(newer.length);
  let count = 0;
  for (let o = 0, n = 0; o < older.length || n < newer.length; count += 1) {
    const time = Math.min(older[o] ?? Number.POSITIVE_INFINITY, newer[n] ?? Number.POSITIVE_INFINITY);
    merged[count] = time;
    if (older[o] === time) olderRows[o++] = count;
    if (newer[n] === time) newerRows[n++] = count;
  }
  return { times: merged.slice(0, count), olderRows, newerRows };
}

/** The rows from `start` to before `end`, which share memory with the columns. */
export function sliceColumns(columns: ChunkColumns, start: number, end: number): ChunkColumns {
  if (start === 0 && end === columns.times.length) return columns;
  const slots = columns.slots.map((column) => {
    const part = column?.subarray(start, end) ?? null;
    return part?.some((value) => !Number.isNaN(value)) ? part : null;
  });
  return { times: columns.times.subarray(start, end), slots };
}

/** Columns with memory of their own. */
export function copyColumns({ times, slots }: ChunkColumns): ChunkColumns {
  return { times: times.slice(), slots: slots.map((column) => column?.slice() ?? null) };
}

/** Divides rows at midnight UTC. `day`: its start, ms. */
export function divideDays(columns: ChunkColumns): { day: number; columns: ChunkColumns }[] {
  const { times } = columns;
  const days: { day: number; columns: ChunkColumns }[] = [];
  for (let start = 0; start < times.length; ) {
    const day = Math.floor((times[start] as number) / DAY_MS) * DAY_MS;
    const end = firstAtOrAfter(times, day + DAY_MS);
    days.push({ day, columns: sliceColumns(columns, start, end) });
    start = end;
  }
  return days;
}

/** Those of the stored chunks, in order of time, between whose first and last row one of these times lies. */
export function touchedChunks<S extends ChunkSpan>(stored: readonly S[], times: Float64Array): S[] {
  return stored.filter(({ first, last }) => {
    const time = times[firstAtOrAfter(times, first)];
    return time !== undefined && time <= last;
  });
}

/**
 * Places rows of one block and day among its stored chunks, which are in order of time and do not overlap: rows within a chunk
 * are merged into it, the others become chunks between the stored ones.
 */
export function mergeIntoChunks(stored: readonly StoredChunk[], added: ChunkColumns): ChunkChanges {
  const changes: ChunkChanges = { replaced: [], written: [] };
  const { times } = added;
  let start = 0;
  for (const { first, last, columns } of stored) {
    const from = firstAtOrAfter(times, first);
    const to = firstAtOrAfter(times, last + 1);
    if (from > start) changes.written.push(...divideRows(sliceColumns(added, start, from)));
    start = Math.max(start, to);
    if (from === to) continue;
    if (columns === null) throw new RangeError(`rows lie in the chunk from ${first} on, which was not read`);
    changes.replaced.push(first);
    changes.written.push(...divideRows(mergeColumns(columns, sliceColumns(added, from, to))));
  }
  if (start < times.length) changes.written.push(...divideRows(sliceColumns(added, start, times.length)));
  return changes;
}

/** Divides rows evenly into as few parts as MAX_SEALED_ROWS allows. */
function divideRows(columns: ChunkColumns): ChunkColumns[] {
  const count = columns.times.length;
  if (count <= MAX_SEALED_ROWS) return [columns];
  const parts = Math.ceil(count / MAX_SEALED_ROWS);
  return Array.from({ length: parts }, (_, part) =>
    sliceColumns(columns, Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)),
  );
}

/** The index of the first of ascending times that is at or after `time`. */
function firstAtOrAfter(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
