import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { mergeColumns } from '@tidewatch/domain/chunk/merge-chunks';
import { type BlockDay, packDays, writeDays } from './block-days.ts';
import { holdClosedDays, mayBeClosed, readClosedTo } from './closed-days.ts';
import { dateOf } from './packed-partitions.ts';

/** How many days of blocks are in memory at once: a day of sixteen series every 10 s takes 1.2 MB. */
const MAX_AT_ONCE = 32;

/** What became of late samples. */
export interface LateSamples {
  /** Those whose day is not closed for their block: the caller writes them as chunks in the same transaction. */
  open: BlockDay[];
  /** Those that could not be merged, since what is stored of their day is damaged. They are stored nowhere. */
  damaged: { blockId: number; day: number; error: MalformedBytesError }[];
}

/**
 * Merges late samples into days that are closed, and writes these days with their rollups again; of equal times the late
 * samples count. What is returned as open stays open until the end of the transaction, which has to be read committed. No other
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
  for (const [day, own] of Map.groupBy(past.filter(isClosed), (each) => each.day))
    for (let start = 0; start < own.length; start += MAX_AT_ONCE)
      await rewrite(tx, day, own.slice(start, start + MAX_AT_ONCE), found);
  return found;
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
  function* merged(): Generator<BlockDay> {
    for (const each of late) {
      const data = before.get(each.blockId);
      try {
        yield data === undefined ? each : { ...each, columns: mergeColumns(decodeChunk(data), each.columns) };
      } catch (error) {
        if (!(error instanceof MalformedBytesError)) throw error;
        found.damaged.push({ blockId: each.blockId, day, error });
      }
    }
  }
  await writeDays(tx, await packDays(merged()));
}
