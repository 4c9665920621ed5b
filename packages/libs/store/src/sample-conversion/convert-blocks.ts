import { perRollupTier, ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { mergeIntoChunks } from '@tidewatch/domain/chunk/merge-chunks';
import { writeDays } from '../sample-days/block-days.ts';
import { dateOf } from '../sample-days/packed-partitions.ts';
import { ChunkWrites } from '../sample-log/chunk-writes.ts';
import { ConversionError } from './conversion-error.ts';
import type { DayPart, RowTotals } from './day-part.ts';
import { packBlockDays } from './pack-block-days.ts';
import { readSamples, readTotals } from './read-rows.ts';
import { readWrittenRollups, readWrittenSamples } from './read-written.ts';
import { type BlockTotals, differenceOf, hasMore, NOTHING } from './totals.ts';

/**
 * Writes what the rows of blocks and a day have in the layout `log`, unless the stored bytes have all of it already, and recounts
 * what was written. Returns how many blocks were written. Throws ConversionError if the recount differs.
 */
export async function convertBlocks(tx: Transaction, part: DayPart): Promise<number> {
  const { blockIds, day } = part;
  const rollups = perRollupTier(() => new Map<number, BlockTotals>());
  const totals: RowTotals = { samples: await readTotals(tx, 'raw', blockIds, day), rollups };
  if (!part.isOpen)
    for (const tier of ROLLUP_TIERS) rollups[tier] = await readTotals(tx, tier, blockIds, day);
  const missing = [...(await findDifferences(tx, part, totals)).keys()];
  if (missing.length === 0) return 0;
  const missingPart = { ...part, blockIds: missing };
  try {
    if (part.isOpen) await writeChunks(tx, missingPart);
    else await writeClosedDays(tx, missingPart, totals);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConversionError(`${nameOf(day)} has rows that cannot be packed: ${error.message}.`);
  }
  for (const [blockId, difference] of await findDifferences(tx, missingPart, totals))
    throw new ConversionError(
      `${nameOf(day)} differs in the block ${blockId} after it was written: ${difference}.`,
    );
  return missing.length;
}

const nameOf = (day: number) => `The day ${new Date(day).toISOString().slice(0, 10)}`;

/** Compares what is stored with what was read; returns what differs by block. */
async function findDifferences(
  tx: Transaction,
  { blockIds, day, isOpen }: DayPart,
  { samples, rollups }: RowTotals,
): Promise<Map<number, string>> {
  const differences = new Map<number, string>();
  const note = (blockId: number, what: string, difference: string | null) => {
    if (difference !== null && !differences.has(blockId)) differences.set(blockId, `${what}: ${difference}`);
  };
  const written = await readWrittenSamples(tx, blockIds, day, isOpen);
  for (const blockId of blockIds) {
    const read = samples.get(blockId) ?? NOTHING;
    const found = written.has(blockId) ? written.get(blockId) : NOTHING;
    if (found == null) note(blockId, 'samples', 'the stored bytes are damaged');
    else if (found.rows !== read.rows) note(blockId, 'samples', `${found.rows} rows instead of ${read.rows}`);
    else note(blockId, 'samples', differenceOf(read, found));
  }
  if (isOpen) return differences;
  for (const tier of ROLLUP_TIERS) {
    const stored = await readWrittenRollups(tx, tier, blockIds, day);
    for (const blockId of blockIds) {
      const read = rollups[tier].get(blockId) ?? NOTHING;
      const found = stored.has(blockId) ? stored.get(blockId) : NOTHING;
      const own = samples.get(blockId);
      if (found == null) note(blockId, tier, 'the stored bytes are damaged');
      else if (hasMore(read, found) || (own !== undefined && hasMore(own, found)))
        note(blockId, tier, 'values are missing');
      // Rollups of samples are computed again, and may have more than the rows, which may be out of date.
      else if (own === undefined && read !== NOTHING) note(blockId, tier, differenceOf(read, found));
    }
  }
  return differences;
}

/** Writes chunks in place of those that are stored of these blocks and the day. */
async function writeChunks(tx: Transaction, { blockIds, day }: DayPart): Promise<void> {
  await tx`
    delete from sample_chunks where block_id = any(${blockIds as number[]}::integer[])
      and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz`;
  const writes = new ChunkWrites(new Set());
  for await (const { blockId, columns } of readSamples(tx, blockIds, day))
    for (const chunk of mergeIntoChunks([], columns).written) writes.add(blockId, chunk);
  await writes.flush(tx);
}

async function writeClosedDays(tx: Transaction, part: DayPart, totals: RowTotals): Promise<void> {
  // Where the rows have expired since an earlier run, nothing takes the place of its samples.
  await tx`
    delete from sample_days where day = ${dateOf(part.day)}::date and block_id = any(${part.blockIds as number[]}::integer[])`;
  const damaged = await writeDays(tx, await packBlockDays(tx, part, totals));
  for (const { relation, blockId, day, error } of damaged)
    throw new ConversionError(
      `A row of ${relation} for the block ${blockId} and ${new Date(day).toISOString().slice(0, 10)} is damaged (${error.message}). Delete it and convert again.`,
    );
}
