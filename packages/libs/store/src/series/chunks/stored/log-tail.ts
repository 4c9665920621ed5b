import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import type { GrowingSamples } from '@tidewatch/domain/chunk/growing-samples';
import { PlacedRows } from '@tidewatch/domain/chunk/placed-rows';
import type { Turn } from '../../../event-loop/turn.ts';
import type { Range } from '../../series-columns.ts';
import type { SamplePiece } from './block-columns.ts';
import type { LogPlace } from './block-places.ts';
import type { BucketRows } from './cached-log.ts';

/** What the log has of some blocks that is not yet in chunks. */
export class LogTail {
  readonly #rows: PlacedRows;
  readonly #pieces = new Map<number, TailPiece>();

  constructor(rows: PlacedRows) {
    this.#rows = rows;
  }

  /** What the log has of a block; undefined if it has nothing. */
  of(blockId: number): SamplePiece | undefined {
    if (!this.#rows.has(blockId)) return undefined;
    let piece = this.#pieces.get(blockId);
    if (piece === undefined) {
      piece = new TailPiece(this.#rows, blockId);
      this.#pieces.set(blockId, piece);
    }
    return piece;
  }

  hasRows(blockId: number, { from, to }: Range): boolean {
    return this.#rows.hasRowsIn(blockId, from, to);
  }
}

/** Nothing that is not in chunks. */
export const NO_TAIL = new LogTail(new PlacedRows());

/** Decodes one slot alone, and all of them once a second one is asked for: most questions are for one. */
class TailPiece implements SamplePiece {
  readonly #rows: PlacedRows;
  readonly #blockId: number;
  #slot: number | null = null;
  #columns: ChunkColumns | null = null;

  constructor(rows: PlacedRows, blockId: number) {
    this.#rows = rows;
    this.#blockId = blockId;
  }

  times(): Float64Array {
    return this.#columns?.times ?? this.#rows.timesOf(this.#blockId);
  }

  addTo(samples: GrowingSamples, slot: number, { from, to }: Range): void {
    if (this.#columns === null && (this.#slot === null || this.#slot === slot)) {
      this.#slot = slot;
      const { times, numbers } = this.#rows.slotOf(this.#blockId, slot);
      samples.add(times, numbers, times.length, from, to);
      return;
    }
    this.#columns ??= this.#rows.columnsOf(this.#blockId);
    const { times, slots } = this.#columns;
    const numbers = slots[slot] ?? null;
    if (numbers !== null) samples.add(times, numbers, times.length, from, to);
  }
}

/** Finds what buckets of the log have of blocks. Of equal times the sample with the later seq counts. */
export async function gatherTail(
  buckets: readonly BucketRows[],
  places: ReadonlyMap<number, LogPlace>,
  turn: Turn,
): Promise<LogTail> {
  if (buckets.length === 0) return NO_TAIL;
  // How many of the blocks of each subject are wanted: what lies behind them in a record is not read.
  const anchors = new Map<number, number>();
  for (const { anchor } of places.values()) anchors.set(anchor, (anchors.get(anchor) ?? 0) + 1);
  const isAnchor = (anchor: number) => anchors.has(anchor);
  const rows = new PlacedRows();
  const isWanted = (blockId: number) => places.has(blockId);
  for (const bucket of buckets) {
    bucket.visitRecords(isAnchor, (record) =>
      rows.add(record, isWanted, anchors.get(record.anchor) as number),
    );
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return new LogTail(rows);
}
