import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import { sliceColumns } from '@tidewatch/domain/chunk/merge-chunks';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { type BlockDay, packDays, writeDays } from '@tidewatch/store/sample-days/block-days';
import { ALL_BLOCKS, noteClosedTo } from '@tidewatch/store/sample-days/closed-days';
import { ChunkWrites } from '@tidewatch/store/sample-log/chunk-writes';

/** The time that a chunk covers: the interval of seals, ms. */
const CHUNK_MS = 5 * MINUTE_MS;
/** The number of blocks that one transaction writes. */
const PORTION = 100;

/** Samples of a block whose first slots have the same number of values as there are times (ms). */
export function columnsOf(times: Float64Array, values: readonly Float64Array[]): ChunkColumns {
  return { times, slots: Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => values[slot] ?? null) };
}

/**
 * Writes a UTC day (its start in ms) of blocks as the writer closes it: samples and rollups, or rollups alone as of a day whose samples
 * are no longer kept.
 */
export async function writeClosedDay(
  sql: Sql,
  day: number,
  blockIds: readonly number[],
  { columns, keepsSamples }: { columns: (blockId: number) => ChunkColumns; keepsSamples: boolean },
): Promise<void> {
  for (let start = 0; start < blockIds.length; start += PORTION) {
    const days = blockIds
      .slice(start, start + PORTION)
      .map((blockId): BlockDay => ({ blockId, day, columns: columns(blockId) }));
    const packed = await packDays(days);
    await transact(sql, (tx) => writeDays(tx, keepsSamples ? packed : { ...packed, samples: [] }));
  }
  await transact(sql, (tx) => noteClosedTo(tx, day, ALL_BLOCKS, Date.now()));
}

/** Writes samples of blocks as seals do: a chunk for each five minutes. */
export async function writeChunks(
  sql: Sql,
  blockIds: readonly number[],
  columns: (blockId: number) => ChunkColumns,
): Promise<void> {
  const partitions = new Set<number>();
  for (let start = 0; start < blockIds.length; start += PORTION)
    await transact(sql, async (tx) => {
      const writes = new ChunkWrites(partitions);
      for (const blockId of blockIds.slice(start, start + PORTION)) {
        for (const chunk of chunksOf(columns(blockId))) writes.add(blockId, chunk);
        if (writes.isFull) await writes.flush(tx);
      }
      await writes.flush(tx);
    });
}

function* chunksOf(columns: ChunkColumns): Generator<ChunkColumns> {
  const { times } = columns;
  const chunkAt = (index: number) => Math.floor((times[index] as number) / CHUNK_MS);
  for (let start = 0, end = 1; start < times.length; start = end) {
    for (end = start + 1; end < times.length && chunkAt(end) === chunkAt(start); end += 1);
    yield sliceColumns(columns, start, end);
  }
}
