import type { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import { ColumnMemory } from '@tidewatch/domain/chunk/column-memory';
import { type ChunkSpan, copyColumns, divideDays } from '@tidewatch/domain/chunk/merge-chunks';
import type { PlacedRows } from '@tidewatch/domain/chunk/placed-rows';
import { BackgroundTurn } from '../event-loop/background-turn.ts';
import { dropOutdatedLiveParts } from '../latest/live-parts.ts';
import { writeSealedLatest } from '../latest/write-latest.ts';
import type { BlockDay } from '../sample-days/block-days.ts';
import { holdClosedDays, mayBeClosed } from '../sample-days/closed-days.ts';
import { rewriteClosedDays } from '../sample-days/rewrite-closed.ts';
import { ChunkWrites } from './chunk-writes.ts';
import { observeColumns, observeSetBack } from './latest-columns.ts';
import { readOverlappingChunks } from './overlapping-chunks.ts';
import { placeAmongChunks } from './place-among-chunks.ts';
import type { SampleState } from './sample-layout.ts';
import {
  lockSealedLatest,
  type NewRows,
  readNewestByClock,
  readSealedBlocks,
  type SealedBlock,
} from './sealed-blocks.ts';

/** The number of blocks that are sealed at once: what the database answers about more is decoded without a pause. */
const MAX_BLOCKS = 1_024;
/** The live row of a host is written up to some seconds after its samples. */
const LIVE_LAG_MS = MINUTE_MS;

/** What one transaction has sealed. */
export interface Sealed {
  samples: number;
  chunks: number;
  /** Chunks that were read and written again for late samples. */
  rewritten: number;
  /** Blocks of services that were deleted, whose samples are left out. */
  discardedBlocks: number;
  /** Blocks of which a chunk or closed day that late samples lie in is damaged. Either of these is in `damaged_samples`. */
  damaged: { blockId: number; error: MalformedBytesError }[];
}

export interface SealOptions {
  /** ms */
  now: number;
  state: SampleState;
  /** Days (starts in ms) that are known to have a partition of chunks; those that are created are added. */
  partitions: Set<number>;
  /** The number of blocks that are sealed at once. Default 1,024. */
  maxBlocks?: number | undefined;
}

/**
 * Writes rows of the log as chunks, late ones into the chunks or closed days that they belong to, and the latest values that follow from them.
 * Throws MalformedBytesError if a record is damaged in spite of its checksum.
 */
export async function sealRows(tx: Transaction, rows: PlacedRows, options: SealOptions): Promise<Sealed> {
  const { maxBlocks = MAX_BLOCKS } = options;
  const sealed = { samples: rows.samples, chunks: 0, rewritten: 0, discardedBlocks: 0, damaged: [] };
  const blockIds = rows.blockIds();
  // Before any row is locked: a transaction that has the lock of closed days alone may wait for rows.
  if (blockIds.some((id) => mayBeClosed(dayOf(rows.summaryOf(id).earliest), options.now)))
    await holdClosedDays(tx);
  await lockSealedLatest(tx);
  for (let start = 0; start < blockIds.length; start += maxBlocks)
    await sealBlocks(tx, rows, blockIds.slice(start, start + maxBlocks), options, sealed);
  return sealed;
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

async function sealBlocks(
  tx: Transaction,
  rows: PlacedRows,
  blockIds: readonly number[],
  { now, state, partitions }: SealOptions,
  sealed: Sealed,
): Promise<void> {
  const until = now + MAX_SKEW_MS;
  const blocks = await readSealedBlocks(
    tx,
    blockIds.map((id) => newRowsOf(rows, id, state.isConverting ? Number.NEGATIVE_INFINITY : until)),
  );
  sealed.discardedBlocks += blockIds.length - blocks.size;
  const known = blockIds.filter((id) => blocks.has(id));
  const ranges = known
    .map((blockId) => {
      const { earliest, latest } = rows.summaryOf(blockId);
      return { blockId, first: earliest, last: latest };
    })
    // What converts rows, and what writes them, does not note how far the chunks of a block reach.
    .filter(
      ({ blockId, first }) => state.isConverting || first <= (blocks.get(blockId) as SealedBlock).appliedAt,
    );
  const chunks = await readOverlappingChunks(tx, ranges);
  const clocks = await readClocks(tx, rows, blocks);
  const writes = new ChunkWrites(partitions);
  const latest: SealedBlock[] = [];
  const past: BlockDay[] = [];
  const touching: BlockDay[] = [];
  const place = async (blockId: number, day: number, columns: ChunkColumns) => {
    const added = writes.placeApart(blockId, columns, chunks.get(blockId) ?? NO_CHUNKS);
    if (!added) touching.push({ blockId, day, columns: copyColumns(columns) });
    if (writes.isFull) await writes.flush(tx);
  };
  const turn = new BackgroundTurn();
  const memory = new ColumnMemory();
  for (const blockId of known) {
    const block = blocks.get(blockId) as SealedBlock;
    const columns = rows.columnsOf(blockId, memory);
    const reachesTo = Math.max(now, columns.times[columns.times.length - 1] as number);
    const isChanged = observe(block, columns, now, clocks.get(block.serviceId));
    const isNoted = Number.isFinite(block.appliedAt) && reachesTo <= Math.max(now, block.appliedAt);
    if (isChanged || !isNoted) latest.push(block);
    block.appliedAt = reachesTo;
    for (const { day, columns: own } of divideDays(columns))
      if (mayBeClosed(day, now)) past.push({ blockId, day, columns: copyColumns(own) });
      else await place(blockId, day, own);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  const { open, damaged } = await rewriteClosedDays(tx, past, now);
  for (const { blockId, day, columns } of open) await place(blockId, day, columns);
  sealed.damaged.push(...damaged, ...(await placeAmongChunks(tx, touching, chunks, writes)));
  await writes.flush(tx);
  if (state.layout === 'log') {
    await writeSealedLatest(tx, latest, new BinaryRows());
    await dropOutdatedLiveParts(
      tx,
      latest.filter(({ isOfParts }) => isOfParts).map(({ id }) => id),
    );
  }
  sealed.chunks += writes.written;
  sealed.rewritten += writes.replaced;
}

/** Rows after `until`, ms, may have values that are not the latest of their slots. */
function newRowsOf(rows: PlacedRows, id: number, until: number): NewRows {
  const { earliest, latest, mask } = rows.summaryOf(id);
  let covered = 0;
  if (latest <= until) while ((mask >> covered) & 1) covered += 1;
  return { id, first: earliest, covered };
}

const NO_CHUNKS: readonly ChunkSpan[] = [];

/** The newest sample times by their present clocks of services of which a block was ahead of the row that came last. */
function readClocks(
  tx: Transaction,
  rows: PlacedRows,
  blocks: ReadonlyMap<number, SealedBlock>,
): Promise<Map<string, number>> {
  const ahead = [...blocks.values()].filter(({ id, latestTimes }) => {
    const { latest, added } = rows.summaryOf(id);
    return latest > added || latestTimes.some((time) => time > added);
  });
  return readNewestByClock(tx, ahead);
}

function observe(
  block: SealedBlock,
  columns: ChunkColumns,
  now: number,
  newest: number | undefined,
): boolean {
  const until = now + MAX_SKEW_MS;
  if (newest === undefined || newest + LIVE_LAG_MS >= until) return observeColumns(block, columns, until);
  return observeSetBack(block, columns, { until: newest + LIVE_LAG_MS, newest });
}
