import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { decodeChunk, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { mergeColumns } from '@tidewatch/domain/chunk/merge-chunks';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { partitionBounds } from '../retention/partitions.ts';
import { type DamagedBytes, keepDamaged } from '../sample-damage/keep-damaged.ts';
import { type RowBlock, SampleRows } from '../samples/sample-rows.ts';
import { type BlockDay, type DamagedRows, packDays, writeDays } from './block-days.ts';
import { holdClosedDays, mayBeClosed, readClosedTo } from './closed-days.ts';
import { dateOf, readPartitionDays } from './packed-partitions.ts';
import { writePackedBackfill } from './write-packed-backfill.ts';

/** How many days of blocks are in memory at once: a day of sixteen series every 10 s takes 1.2 MB. */
const MAX_AT_ONCE = 32;

/** What became of late samples. */
export interface LateSamples {
  /** Those whose day is not closed for their block: the caller writes them as chunks in the same transaction. */
  open: BlockDay[];
  /**
   * What is stored and cannot be read. Late samples of a day whose samples are damaged, and a damaged month, in whose place are
   * the days of the late samples, are kept in `damaged_samples`.
   */
  damaged: DamagedRows[];
}

/**
 * Merges late samples into days that are closed, and writes these days with their rollups again; of equal times the late
 * samples count. Where the samples of a closed day are no longer kept, late ones are backfilled. What is returned as open stays open until the end of the transaction, which has to be read committed. No other
 * transaction may write chunks or days of these blocks. A block and day may occur once. `now`: ms.
 */
export async function rewriteClosedDays(
  tx: Transaction,
  late: readonly BlockDay[],
  now: number,
): Promise<LateSamples> {
  const found: LateSamples = { open: late.filter(({ day }) => !mayBeClosed(day, now)), damaged: [] };
  const past = late.filter(({ day }) => mayBeClosed(day, now));
  if (past.length === 0) return found;
  await holdClosedDays(tx);
  const closedTo = await readClosedTo(tx, [...new Set(past.map(({ day }) => day))]);
  const isClosed = ({ blockId, day }: BlockDay) => blockId <= (closedTo.get(day) as number);
  found.open.push(...past.filter((each) => !isClosed(each)));
  const kept = new Set(await readPartitionDays(tx, 'sample_days'));
  const closed = past.filter(isClosed);
  await backfill(
    tx,
    closed.filter(({ day }) => !kept.has(day)),
  );
  for (const [day, own] of Map.groupBy(
    closed.filter((each) => kept.has(each.day)),
    (each) => each.day,
  ))
    for (let start = 0; start < own.length; start += MAX_AT_ONCE)
      await rewrite(tx, day, own.slice(start, start + MAX_AT_ONCE), found);
  return found;
}

/** Adds samples to those that were older than raw retention when they arrived. */
async function backfill(tx: Transaction, late: readonly BlockDay[]): Promise<void> {
  if (late.length === 0) return;
  const rows = new SampleRows<RowBlock>();
  for (const { blockId, columns } of late)
    for (const [at, time] of columns.times.entries()) {
      const row = rows.append({ id: blockId }, time);
      for (const [slot, numbers] of columns.slots.entries())
        if (numbers !== null) rows.values[row * SLOTS_PER_BLOCK + slot] = numbers[at] as number;
    }
  for (const { day } of late) {
    const { from, to } = partitionBounds('samples_backfill', day);
    await tx`select ensure_partition('samples_backfill', ${from}::timestamptz, ${to}::timestamptz)`;
  }
  await writePackedBackfill(tx, rows, new BinaryRows());
}

async function rewrite(
  tx: Transaction,
  day: number,
  late: readonly BlockDay[],
  found: LateSamples,
): Promise<void> {
  const stored = await tx<{ block_id: number; data: Buffer }[]>`
    select block_id, data from sample_days
    where day = ${dateOf(day)}::date and block_id = any(${late.map(({ blockId }) => blockId)}::integer[])`;
  const before = new Map(stored.map((row) => [row.block_id, row.data]));
  const kept: DamagedBytes[] = [];
  function* merged(): Generator<BlockDay & { stored?: Buffer }> {
    for (const each of late) {
      const data = before.get(each.blockId);
      if (data === undefined) {
        yield each;
        continue;
      }
      try {
        yield { ...each, columns: mergeColumns(decodeChunk(data), each.columns), stored: data };
      } catch (error) {
        if (!(error instanceof MalformedBytesError)) throw error;
        const { blockId, columns } = each;
        found.damaged.push({ relation: 'sample_days', blockId, day, rows: 1, error });
        kept.push({ relation: 'late_samples', place: { blockId }, day, error, data: encodeChunk(columns) });
      }
    }
  }
  found.damaged.push(...(await writeDays(tx, await packDays(merged()))));
  await keepDamaged(tx, kept);
}
