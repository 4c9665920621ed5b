import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type Queryable, type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { ChunkJoin } from '@tidewatch/domain/chunk/join-chunks';
import { BackgroundTurn } from '../event-loop/background-turn.ts';
import type { Fence } from '../leases/lease.ts';
import { type DamagedBytes, keepDamaged } from '../sample-damage/keep-damaged.ts';
import { type BlockDay, type DamagedRows, packDays, writeDays } from './block-days.ts';
import { ALL_BLOCKS, noteClosedTo, readClosedTo, takeClosedDays } from './closed-days.ts';
import { readEndedDays } from './ended-days.ts';

/** The size of the chunks that one transaction closes, bytes, and their number: some tenths of a second of work. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
const MAX_BATCH_CHUNKS = 8_192;

export interface ClosedBatch {
  /** How many blocks were closed. */
  blocks: number;
  /** What could not be read and is in `damaged_samples` in place of the closed day or its month. */
  damaged: DamagedRows[];
  /** Whether all blocks of the day are closed now. */
  isDone: boolean;
}

export interface CloseOptions {
  /** ms */
  now: number;
  fence?: Fence | undefined;
  maxChunks?: number;
}

/** The days (starts in ms) that ended two hours ago and of which not all blocks are closed, though some may not be due. Oldest first. */
export async function readClosableDays(sql: Queryable, now: number): Promise<number[]> {
  return (await readEndedDays(sql, now)).map(({ day }) => day);
}

/**
 * Closes the next blocks of a day, in one transaction: turns their chunks into a row of the day, and writes their rollups. The
 * chunks stay until `dropClosedChunks`, for transactions with older snapshots. Seals of past days wait until it has ended.
 */
export function closeBatch(sql: Sql, day: number, options: CloseOptions): Promise<ClosedBatch> {
  const { now, fence, maxChunks = MAX_BATCH_CHUNKS } = options;
  return transact(sql, async (tx) => {
    await fence?.(tx);
    await takeClosedDays(tx);
    // Statistics of a young partition may be missing, and a plan without the index would sort all of it for each batch.
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_bitmapscan = off`;
    const closedTo = (await readClosedTo(tx, [day])).get(day) ?? 0;
    const next = await nextBlocks(tx, day, closedTo, maxChunks);
    const batch: ClosedBatch = { blocks: next.blocks, damaged: [], isDone: next.isLast };
    if (next.blocks > 0) {
      const chunks = await readChunks(tx, day, closedTo, next.to);
      const kept: DamagedBytes[] = [];
      const packed = await packDays(joinAll(chunks, day, batch, kept));
      batch.damaged.push(...(await writeDays(tx, packed)));
      await keepDamaged(tx, kept);
    }
    await noteClosedTo(tx, day, next.isLast ? ALL_BLOCKS : next.to, now);
    return batch;
  });
}

/** Up to which block the chunks behind `after` fit into one batch, which has one block at least. */
async function nextBlocks(tx: Transaction, day: number, after: number, maxChunks: number) {
  const rows = await tx<{ block_id: number; bytes: number }[]>`
    select block_id, octet_length(data) as bytes from sample_chunks
    where first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz and block_id > ${after}
    order by block_id, first limit ${maxChunks}`;
  let [to, blocks, bytes] = [after, 0, 0];
  for (const row of rows) {
    bytes += row.bytes;
    if (row.block_id === to) continue;
    if (blocks > 0 && bytes > MAX_BATCH_BYTES) return { to, blocks, isLast: false };
    to = row.block_id;
    blocks += 1;
  }
  return { to, blocks, isLast: rows.length < maxChunks };
}

async function readChunks(
  tx: Transaction,
  day: number,
  after: number,
  to: number,
): Promise<Map<number, Buffer[]>> {
  const rows = await tx<{ block_id: number; data: Buffer }[]>`
    select block_id, data from sample_chunks
    where first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz
      and block_id > ${after} and block_id <= ${to}
    order by block_id, first`;
  const chunks = new Map<number, Buffer[]>();
  for (const { block_id, data } of rows) {
    const own = chunks.get(block_id);
    if (own === undefined) chunks.set(block_id, [data]);
    else own.push(data);
  }
  return chunks;
}

/** The days of blocks, each valid until the next one. */
async function* joinAll(
  chunks: Map<number, Buffer[]>,
  day: number,
  batch: ClosedBatch,
  kept: DamagedBytes[],
): AsyncGenerator<BlockDay> {
  const turn = new BackgroundTurn();
  const join = new ChunkJoin();
  for (const [blockId, own] of chunks) {
    turn.begin();
    join.clear();
    for (const bytes of own) {
      join.add(bytes);
      if (turn.isOver) await turn.yieldWhenDue();
    }
    const [first] = join.damaged;
    if (first !== undefined) {
      const rows = join.damaged.length;
      batch.damaged.push({ relation: 'sample_chunks', blockId, day, rows, error: first.error });
    }
    for (const { bytes, error } of join.damaged)
      kept.push({ relation: 'sample_chunks', place: { blockId }, day, error, data: bytes });
    const columns = join.columns();
    if (columns !== null) yield { blockId, day, columns };
  }
}
