import type { Queryable } from '@tidewatch/database/connection';
import { ChunkReader } from '@tidewatch/domain/chunk/chunk';
import type { GrowingSamples } from '@tidewatch/domain/chunk/growing-samples';
import { type RollupColumns, RollupRowReader } from '@tidewatch/domain/chunk/rollup-row';
import { peekSlots } from '@tidewatch/domain/chunk/slot-parts';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { Range } from '../../series-columns.ts';
import type { SamplePiece } from './block-columns.ts';
import { firstAtOrAfter } from './sorted-times.ts';
import { type BlockChunks, readAgain, readSlices, type Slice, type StoredRow } from './stored-rows.ts';

/** A row of a day of which the head and the wanted parts were read. */
export interface FetchedRow extends Pick<StoredRow, 'blockId' | 'at'> {
  /** The head, or the whole row. */
  bytes: Buffer;
  /** The parts of slots that were read alone; null if the row is whole. */
  parts: ReadonlyMap<number, Buffer> | null;
}

/**
 * Reads what is missing of rows: the rest of the head, and the parts of the slots in `maskOf`, by one statement. In the order of the rows.
 * Where the caller has no snapshot and a row was replaced since its beginning was read, it is read again; null if it is gone.
 */
export async function readParts(
  tx: Queryable,
  rows: readonly StoredRow[],
  maskOf: (row: StoredRow) => number,
): Promise<(FetchedRow | null)[]> {
  const slices: Slice[] = [];
  const plans = rows.map((row) => (row.bytes.length === row.size ? null : planOf(row, maskOf(row), slices)));
  const bytes = await readSlices(tx, slices);
  const fetched = rows.map((row, index) => fetchedRow(row, plans[index] ?? null, bytes));
  const replaced = [...rows.keys()].filter((index) => fetched[index] === null);
  const again = await readAgain(
    tx,
    replaced.map((index) => rows[index] as StoredRow),
  );
  for (const [place, index] of replaced.entries()) {
    const { blockId, at } = rows[index] as StoredRow;
    const whole = again[place] ?? null;
    fetched[index] = whole && { blockId, at, bytes: whole, parts: null };
  }
  return fetched;
}

/** Which slices complete a row, by their indices. */
interface SlicePlan {
  headEnd: number;
  rest: number | null;
  parts: [slot: number, slice: number][];
}

function planOf(row: StoredRow, mask: number, slices: Slice[]): SlicePlan {
  const { headEnd, places } = peekSlots(row.bytes);
  const slice = (start: number, end: number) => slices.push({ row, start, length: end - start }) - 1;
  const rest = headEnd > row.bytes.length ? slice(row.bytes.length, headEnd) : null;
  const parts: SlicePlan['parts'] = [];
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    const place = ((mask >> slot) & 1) === 0 ? null : places.of(slot);
    if (place !== null) parts.push([slot, slice(place.start, place.end)]);
  }
  return { headEnd, rest, parts };
}

/** Null if one of its slices is of another version of the row. */
function fetchedRow(
  { blockId, at, bytes: own }: StoredRow,
  plan: SlicePlan | null,
  slices: readonly (Buffer | null)[],
): FetchedRow | null {
  if (plan === null) return { blockId, at, bytes: own, parts: null };
  const rest = plan.rest === null ? null : (slices[plan.rest] ?? null);
  if (plan.rest !== null && rest === null) return null;
  const parts = new Map<number, Buffer>();
  for (const [slot, index] of plan.parts) {
    const part = slices[index] ?? null;
    if (part === null) return null;
    parts.set(slot, part);
  }
  const head = rest === null ? own.subarray(0, plan.headEnd) : Buffer.concat([own, rest]);
  return { blockId, at, bytes: head, parts };
}

/** From this number of rows on, the last column is kept, since ranges of one slot follow each other. */
const MANY_ROWS = 1_024;

/** Chunks and closed days, decoded as they are asked for. */
export class DecodedPiece implements SamplePiece {
  readonly #reader: ChunkReader;
  readonly #parts: ReadonlyMap<number, Buffer> | null;
  #slot = -1;
  #column: Float64Array | null = null;

  /** `parts` are those of slots that were read alone; null for a chunk that is whole. */
  constructor(reader: ChunkReader, parts: ReadonlyMap<number, Buffer> | null = null) {
    this.#reader = reader;
    this.#parts = parts;
  }

  /** The piece of a row of a day. */
  static ofRow({ bytes, parts }: FetchedRow): DecodedPiece {
    return new DecodedPiece(new ChunkReader(bytes, parts === null), parts);
  }

  times(): Float64Array {
    return this.#reader.times();
  }

  addTo(samples: GrowingSamples, slot: number, { from, to }: Range): void {
    if (this.#parts === null && this.#reader.count < MANY_ROWS) {
      this.#reader.addTo(samples, slot, from, to);
      return;
    }
    const times = this.times();
    const start = firstAtOrAfter(times, from);
    const end = firstAtOrAfter(times, to);
    if (start >= end) return;
    const column = this.#columnOf(slot);
    if (column !== null)
      samples.add(times.subarray(start, end), column.subarray(start, end), end - start, from, to);
  }

  #columnOf(slot: number): Float64Array | null {
    if (slot === this.#slot) return this.#column;
    this.#column = this.#decode(slot);
    this.#slot = slot;
    return this.#column;
  }

  #decode(slot: number): Float64Array | null {
    if (this.#parts === null) return this.#reader.slot(slot);
    const bytes = this.#parts.get(slot);
    return bytes === undefined ? null : this.#reader.column(slot, bytes);
  }
}

/** The chunks of a block, in order of time, from those of each of its spans; one that overlaps two spans was read twice. */
export function chunksOf(chunks: BlockChunks | undefined): ChunkReader[] {
  if (chunks === undefined) return [];
  const readers = chunks.bytes.flatMap((bytes) => ChunkReader.all(bytes, chunks.cutTo));
  if (chunks.bytes.length === 1) return readers;
  const firstOf = (reader: ChunkReader) => reader.times()[0] as number;
  const byFirst = new Map(readers.map((reader) => [firstOf(reader), reader]));
  return [...byFirst.values()].sort((a, b) => firstOf(a) - firstOf(b));
}

/** The rollups of a day or month, decoded as they are asked for. */
export class DecodedRollups {
  readonly #reader: RollupRowReader;
  readonly #parts: ReadonlyMap<number, Buffer> | null;
  #slot = -1;
  #columns: RollupColumns | null = null;

  constructor({ bytes, parts }: FetchedRow) {
    this.#reader = new RollupRowReader(bytes, parts === null);
    this.#parts = parts;
  }

  slot(slot: number): RollupColumns | null {
    if (slot === this.#slot) return this.#columns;
    this.#columns = this.#decode(slot);
    this.#slot = slot;
    return this.#columns;
  }

  #decode(slot: number): RollupColumns | null {
    if (this.#parts === null) return this.#reader.slot(slot);
    const bytes = this.#parts.get(slot);
    return bytes === undefined ? null : this.#reader.part(slot, bytes);
  }
}
