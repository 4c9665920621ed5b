import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { copyInto } from '@tidewatch/database/copy/copy';
import { type ChunkColumns, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { type ChunkSpan, mergeIntoChunks, touchedChunks } from '@tidewatch/domain/chunk/merge-chunks';
import { ensurePackedPartitions } from '../sample-days/packed-partitions.ts';

const COPY_CHUNKS = 'copy sample_chunks (block_id, first, last, data) from stdin (format binary)';
/** Encoded chunks wait for one statement up to this size. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Writes chunks of one transaction, many by each statement. */
export class ChunkWrites {
  readonly #partitions: Set<number>;
  readonly #rows = new BinaryRows();
  #days = new Set<number>();
  #bytes = 0;
  #replaced: { blockId: number; first: number }[] = [];
  /** How many chunks were added. */
  written = 0;
  /** How many stored chunks were replaced. */
  replaced = 0;

  /** `partitions`: the days (starts in ms) that are known to have a partition. Those that are created are added. */
  constructor(partitions: Set<number>) {
    this.#partitions = partitions;
  }

  /** Whether so much waits that it should be flushed. */
  get isFull(): boolean {
    return this.#bytes >= MAX_WAITING_BYTES;
  }

  /** Removes a stored chunk before the next ones are written. */
  replace(blockId: number, first: number): void {
    this.#replaced.push({ blockId, first });
    this.replaced += 1;
  }

  /** Adds rows of a block, divided into chunks, and returns true if they lie in none of its stored chunks, which are in order of time. */
  placeApart(blockId: number, columns: ChunkColumns, stored: readonly ChunkSpan[]): boolean {
    if (stored.length > 0 && touchedChunks(stored, columns.times).length > 0) return false;
    const apart = stored.map((span) => ({ ...span, columns: null }));
    for (const chunk of mergeIntoChunks(apart, columns).written) this.add(blockId, chunk);
    return true;
  }

  add(blockId: number, columns: ChunkColumns): void {
    const { times } = columns;
    const first = times[0] as number;
    const data = encodeChunk(columns);
    this.#days.add(Math.floor(first / DAY_MS) * DAY_MS);
    this.#rows.row(4, 40);
    this.#rows.int4(blockId);
    this.#rows.time(first);
    this.#rows.time(times[times.length - 1] as number);
    this.#rows.bytes(data);
    this.#bytes += data.length;
    this.written += 1;
  }

  async flush(tx: Transaction): Promise<void> {
    if (this.#replaced.length > 0) {
      await tx`
        delete from sample_chunks c
        using unnest(${this.#replaced.map(({ blockId }) => blockId)}::integer[],
          ${this.#replaced.map(({ first }) => first)}::timestamptz[]) as r (block_id, first)
        where c.block_id = r.block_id and c.first = r.first`;
      this.#replaced = [];
    }
    if (this.#bytes === 0) return;
    const missing = [...this.#days].filter((day) => !this.#partitions.has(day));
    await ensurePackedPartitions(tx, { sample_chunks: missing });
    for (const day of missing) this.#partitions.add(day);
    await copyInto(tx, COPY_CHUNKS, [this.#rows.finish()]);
    this.#rows.reset();
    this.#days = new Set();
    this.#bytes = 0;
  }
}
