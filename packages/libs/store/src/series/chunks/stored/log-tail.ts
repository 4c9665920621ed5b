import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import { GatheredRows } from '@tidewatch/domain/chunk/gathered-rows';
import type { GrowingSamples } from '@tidewatch/domain/chunk/growing-samples';
import { type LogRecord, readLogRecords } from '@tidewatch/domain/chunk/log-row';
import type { Turn } from '../../../event-loop/turn.ts';
import type { Range } from '../../series-columns.ts';
import type { SamplePiece } from './block-columns.ts';
import type { LogPlace } from './block-places.ts';
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
  readonly #slots: readonly (Float64Array | null)[];

  /** Copies the columns, which are valid for a moment only. */
  constructor({ times, slots }: ChunkColumns) {
    this.#times = times.slice();
    this.#slots = slots.map((column) => column?.slice() ?? null);
  }

  times(): Float64Array {
    return this.#times;
  }

  addTo(samples: GrowingSamples, slot: number, { from, to }: Range): void {
    const column = this.#slots[slot] ?? null;
    if (column !== null) samples.add(this.#times, column, column.length, from, to);
  }
}

/** Gathers what rows of the log have of blocks. Of equal times the sample with the later seq counts. */
export async function gatherTail(
  logRows: readonly Buffer[],
  places: ReadonlyMap<number, LogPlace>,
  turn: Turn,
): Promise<LogTail> {
  if (logRows.length === 0) return NO_TAIL;
  // How many of the blocks of each subject are wanted: what lies behind them in a record is not read.
  const anchors = new Map<number, number>();
  for (const { anchor } of places.values()) anchors.set(anchor, (anchors.get(anchor) ?? 0) + 1);
  const records: LogRecord[] = [];
  for (const bytes of logRows) {
    for (const record of readLogRecords(bytes, (anchor) => anchors.has(anchor))) records.push(record);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  records.sort((a, b) => a.seq - b.seq);
  const gathered = new GatheredRows();
  const isWanted = (blockId: number) => places.has(blockId);
  for (const record of records) {
    gathered.add(record, isWanted, anchors.get(record.anchor));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return new LogTail(gathered);
}
