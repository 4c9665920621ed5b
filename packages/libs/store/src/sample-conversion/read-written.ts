import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { decodeRollupRow } from '@tidewatch/domain/chunk/rollup-row';
import type { Tier } from '@tidewatch/domain/rollup/buckets';
import { monthOf } from '@tidewatch/domain/rollup/month-rollups';
import { dateOf } from '../sample-days/packed-partitions.ts';
import { type BlockTotals, totalsOfRollups, totalsOfSamples } from './totals.ts';

/** Totals by block, of the bytes that are stored; null for bytes that cannot be read. */
type WrittenTotals = Map<number, BlockTotals | null>;

/** Reads and adds up what `sample_days`, or `sample_chunks` for a day that is open, has of blocks and a day. */
export async function readWrittenSamples(
  tx: Transaction,
  blockIds: readonly number[],
  day: number,
  isOpen: boolean,
): Promise<WrittenTotals> {
  const ids = blockIds as number[];
  const rows = isOpen
    ? await tx<{ block_id: number; data: Buffer }[]>`
        select block_id, data from sample_chunks
        where block_id = any(${ids}::integer[]) and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz`
    : await tx<{ block_id: number; data: Buffer }[]>`
        select block_id, data from sample_days where block_id = any(${ids}::integer[]) and day = ${dateOf(day)}::date`;
  return totalsByBlock(rows, (own) => totalsOfSamples(own.map(decodeChunk)));
}

/** Reads and adds up what the packed rollups of a tier have of blocks and a day. */
export async function readWrittenRollups(
  tx: Transaction,
  tier: Exclude<Tier, 'raw'>,
  blockIds: readonly number[],
  day: number,
): Promise<WrittenTotals> {
  const ids = blockIds as number[];
  const relation = { '1m': 'packed_minutes', '1h': 'packed_hours', '1d': 'packed_days' }[tier];
  const isMonth = tier === '1d';
  const rows = await tx<{ block_id: number; data: Buffer }[]>`
    select block_id, data from ${tx(relation)}
    where block_id = any(${ids}::integer[]) and ${tx(isMonth ? 'month' : 'day')} = ${dateOf(isMonth ? monthOf(day) : day)}::date`;
  const step = (day - monthOf(day)) / DAY_MS;
  return totalsByBlock(rows, ([data]) => {
    const { steps, slots } = decodeRollupRow(data as Buffer);
    return isMonth ? totalsOfRollups(slots, step, step + 1) : totalsOfRollups(slots, 0, steps);
  });
}

function totalsByBlock(
  rows: readonly { block_id: number; data: Buffer }[],
  add: (own: Buffer[]) => BlockTotals,
): WrittenTotals {
  const totals: WrittenTotals = new Map();
  for (const [blockId, own] of Map.groupBy(rows, (row) => row.block_id))
    try {
      totals.set(blockId, add(own.map(({ data }) => data)));
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      totals.set(blockId, null);
    }
  return totals;
}
