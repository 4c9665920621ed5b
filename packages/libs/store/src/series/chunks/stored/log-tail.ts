import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import { GatheredRows } from '@tidewatch/domain/chunk/gathered-rows';
import type { GrowingSamples } from '@tidewatch/domain/chunk/growing-samples';
import type { PlacedRecord } from '@tidewatch/domain/chunk/indexed-log-rows';
import type { Turn } from '../../../event-loop/turn.ts';
import type { Range } from '../../series-columns.ts';
import type { SamplePiece } from './block-columns.ts';
import type { LogPlace } from './block-places.ts';
import type { BucketRows } from './cached-log.ts';
import { firstAtOrAfter } from './sorted-times.ts';

/** What the log has of some blocks that is not yet in chunks. */
export class LogTail {
  readonly #rows: GatheredRows;
  readonly #blockIds: ReadonlySet<number>;
  readonly #pieces = new Map<number, TailPiece>();

  constructor(rows: GatheredRows) {
    this.#rows = rows;
    this.#blockIds = new Set(rows.blockIds());
  }

  /** What the log has of a block; undefined if it has nothing. */
  of(blockId: number): SamplePiece | undefined {
    if (!this.#blockIds.has(blockId)) return undefined;
    let piece = this.#pieces.get(blockId);
    if (piece === undefined) {
      piece = new TailPiece(this.#rows.columnsOf(blockId));
      this.#pieces.set(blockId, piece);
    }
    return piece;
  }

  hasRows(blockId: number, { from, to }: Range): boolean {
    const times = this.of(blockId)?.times();
    if (times === undefined) return false;
    const at = firstAtOrAfter(times, from);
    return at < times.length && (times[at] as number) < to;
  }
}

/** Nothing that is not in chunks. */
export const NO_TAIL = new LogTail(new GatheredRows());

class TailPiece implements SamplePiece {
  readonly #times: Float64Array;
  /** The columns behind each other, of which few are asked for. */
  readonly #numbers: Float64Array;
  readonly #ordinals: readonly number[];

  /** Copies the columns, which are valid for a moment only. */
  constructor({ times, slots }: ChunkColumns) {
    this.#times = times.slice();
    let count = 0;
    this.#ordinals = slots.map((column) => (column === null ? NONE : count++));
    this.#numbers = new Float64Array(count * times.length);
    for (const [slot, column] of slots.entries())
      if (column !== null) this.#numbers.set(column, (this.#ordinals[slot] as number) * times.length);
  }

  times(): Float64Array {
    return this.#times;
  }

  addTo(samples: GrowingSamples, slot: number, { from, to }: Range): void {
    const ordinal = this.#ordinals[slot] ?? NONE;
    if (ordinal === NONE) return;
    const { length } = this.#times;
    const column = this.#numbers.subarray(ordinal * length, (ordinal + 1) * length);
    samples.add(this.#times, column, length, from, to);
  }
}

const NONE = -1;

/** Gathers what buckets of the log have of blocks. Of equal times the sample with the later seq counts. */
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
  const records: PlacedRecord[] = [];
  for (const bucket of buckets) {
    bucket.addTo(records, isAnchor);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  records.sort((a, b) => a.seq - b.seq);
  const gathered = new GatheredRows();
  const isWanted = (blockId: number) => places.has(blockId);
  for (const record of records) {
    gathered.addPlaced(record, isWanted, anchors.get(record.anchor));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return new LogTail(gathered);
}
