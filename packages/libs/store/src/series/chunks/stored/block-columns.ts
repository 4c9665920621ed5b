import { GrowingSamples } from '@tidewatch/domain/chunk/growing-samples';
import type { Range, Samples } from '../../series-columns.ts';
import { firstAtOrAfter, mergeSamples, mergeTimes } from './sorted-times.ts';

/** Samples of a block for some time: a chunk, a closed day, or what the log has. */
export interface SamplePiece {
  /** ms, ascending. */
  times(): Float64Array;
  /** Adds the samples of a slot in a range. */
  addTo(samples: GrowingSamples, slot: number, range: Range): void;
}

/** Which samples of a range are wanted: all, or the given number of the first or last ones. */
export interface Wanted {
  first?: number;
  last?: number;
}

const scratch = new GrowingSamples();
const scratchTail = new GrowingSamples();

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
    const { times, values } = this.view(slot, range, wanted);
    return { times: times.slice(), values: values.slice() };
  }

  /** The same, valid until the next call for any block. */
  view(slot: number, range: Range, wanted: Wanted = {}): Samples {
    const { first, last } = wanted;
    scratch.clear();
    if (last === undefined) this.#addFirst(slot, range, first ?? Number.POSITIVE_INFINITY);
    else this.#addLast(slot, range, last);
    const all = this.#withTail(slot, range);
    const count = all.times.length;
    const [start, end] = last === undefined ? [0, first ?? count] : [Math.max(0, count - last), count];
    if (start === 0 && end >= count) return all;
    return { times: all.times.subarray(start, end), values: all.values.subarray(start, end) };
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

  /** Fills the scratch memory from the first piece on, with as many samples as are enough. */
  #addFirst(slot: number, range: Range, enough: number): void {
    for (const piece of this.#pieces) {
      if (scratch.length >= enough) return;
      piece.addTo(scratch, slot, range);
    }
  }

  /** Fills the scratch memory from the piece on behind whose start are as many samples as are enough. */
  #addLast(slot: number, range: Range, enough: number): void {
    let index = this.#pieces.length;
    while (index > 0 && scratch.length < enough) {
      index -= 1;
      this.#pieces[index]?.addTo(scratch, slot, range);
    }
    if (index === this.#pieces.length - 1) return;
    scratch.clear();
    for (; index < this.#pieces.length; index += 1) this.#pieces[index]?.addTo(scratch, slot, range);
  }

  #withTail(slot: number, range: Range): Samples {
    if (this.#tail === undefined) return scratch.columns();
    scratchTail.clear();
    this.#tail.addTo(scratchTail, slot, range);
    const stored = scratch.columns();
    const tail = scratchTail.columns();
    const [first, last] = [tail.times[0], stored.times.at(-1)];
    if (first === undefined) return stored;
    if (last !== undefined && last >= first) return mergeSamples(stored, tail);
    scratch.add(tail.times, tail.values, tail.times.length, range.from, range.to);
    return scratch.columns();
  }
}

function cut(times: Float64Array, from: number, to: number): Float64Array {
  return times.subarray(firstAtOrAfter(times, from), firstAtOrAfter(times, to));
}
