import type { Range, Samples } from '../../series-columns.ts';
import { firstAtOrAfter, mergeSamples, mergeTimes } from './sorted-times.ts';

/** Samples of a block for some time: a chunk, a closed day, or what the log has. */
export interface SamplePiece {
  /** ms, ascending. */
  times(): Float64Array;
  /** The values of a slot, NaN where a row has none; null if there is none. */
  slot(slot: number): Float64Array | null;
}

const NONE: Samples = { times: new Float64Array(), values: new Float64Array() };

/** Which samples of a range are wanted: all, or the given number of the first or last ones. */
export interface Wanted {
  first?: number;
  last?: number;
}

/** The samples of one block as they count: pieces that do not overlap, and what the log has on top of them. */
export class BlockColumns {
  readonly #pieces: readonly SamplePiece[];
  readonly #tail: SamplePiece | undefined;

  /** `pieces` are in order of time. */
  constructor(pieces: readonly SamplePiece[], tail: SamplePiece | undefined) {
    this.#pieces = pieces;
    this.#tail = tail;
  }

  /** The samples of a slot in a range, oldest first. */
  samples(slot: number, range: Range, wanted: Wanted = {}): Samples {
    const stored = this.#stored(slot, range, wanted);
    const tail = this.#tail === undefined ? NONE : slotSamples(this.#tail, slot, range);
    const { times, values } = mergeSamples(stored, tail);
    const { first = times.length, last = times.length } = wanted;
    if (first < times.length) return { times: times.slice(0, first), values: values.slice(0, first) };
    if (last < times.length) return { times: times.slice(-last), values: values.slice(-last) };
    return { times, values };
  }

  /** The times at which any slot has a value, oldest first. */
  rowTimes({ from, to }: Range): Float64Array {
    const parts = this.#pieces.map((piece) => cut(piece.times(), from, to));
    const stored = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
    let count = 0;
    for (const part of parts) {
      stored.set(part, count);
      count += part.length;
    }
    return this.#tail === undefined ? stored : mergeTimes(stored, cut(this.#tail.times(), from, to));
  }

  /** Whether chunks or days have rows in a range, whatever the log has. */
  hasStoredIn({ from, to }: Range): boolean {
    return this.#pieces.some((piece) => cut(piece.times(), from, to).length > 0);
  }

  #stored(slot: number, range: Range, { first, last }: Wanted): Samples {
    const parts: Samples[] = [];
    let count = 0;
    const enough = first ?? last ?? Number.POSITIVE_INFINITY;
    const { length } = this.#pieces;
    for (let index = 0; index < length && count < enough; index += 1) {
      const piece = this.#pieces[last === undefined ? index : length - 1 - index] as SamplePiece;
      const own = slotSamples(piece, slot, range);
      if (own.times.length === 0) continue;
      parts.push(own);
      count += own.times.length;
    }
    if (parts.length <= 1) return parts[0] ?? NONE;
    if (last !== undefined) parts.reverse();
    const times = new Float64Array(count);
    const values = new Float64Array(count);
    let at = 0;
    for (const part of parts) {
      times.set(part.times, at);
      values.set(part.values, at);
      at += part.times.length;
    }
    return { times, values };
  }
}

function cut(times: Float64Array, from: number, to: number): Float64Array {
  return times.subarray(firstAtOrAfter(times, from), firstAtOrAfter(times, to));
}

function slotSamples(piece: SamplePiece, slot: number, { from, to }: Range): Samples {
  const all = piece.times();
  const start = firstAtOrAfter(all, from);
  const end = firstAtOrAfter(all, to);
  if (start >= end) return NONE;
  const column = piece.slot(slot);
  if (column === null) return NONE;
  let gaps = 0;
  for (let row = start; row < end; row += 1) if (Number.isNaN(column[row])) gaps += 1;
  if (gaps === 0) return { times: all.subarray(start, end), values: column.subarray(start, end) };
  const times = new Float64Array(end - start - gaps);
  const values = new Float64Array(end - start - gaps);
  let count = 0;
  for (let row = start; row < end; row += 1) {
    const value = column[row] as number;
    if (Number.isNaN(value)) continue;
    times[count] = all[row] as number;
    values[count++] = value;
  }
  return { times, values };
}
