import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { writeSealedLatest } from '../latest/write-latest.ts';
import type { RowBlock, SampleRows } from '../samples/sample-rows.ts';
import { lockSealedLatest, readSealedBlocks, type SealedBlock } from './sealed-blocks.ts';

/**
 * Stores those values of backfilled rows that are newer than the stored latest ones, since they never pass through the log. Blocks that
 * `isLeftOut` get theirs otherwise. `now` in ms.
 */
export async function writeBackfilledLatest<B extends RowBlock>(
  tx: Transaction,
  rows: SampleRows<B>,
  { isLeftOut, now, buffer }: { isLeftOut: (block: B) => boolean; now: number; buffer: BinaryRows },
): Promise<void> {
  const ids = new Set(rows.blocks.filter((block) => !isLeftOut(block)).map(({ id }) => id));
  if (ids.size === 0) return;
  await lockSealedLatest(tx);
  const stored = await readSealedBlocks(
    tx,
    [...ids].map((id) => ({ id, first: 0, covered: 0 })),
  );
  const changed = new Set<SealedBlock>();
  for (const row of rows.sorted()) {
    const block = stored.get((rows.blocks[row] as B).id);
    if (block !== undefined && observeRow(block, rows, row)) changed.add(block);
  }
  for (const block of changed) block.appliedAt = now;
  await writeSealedLatest(tx, [...changed], buffer);
}

/** Returns whether a value of the row is newer than the latest one of its slot. */
function observeRow<B extends RowBlock>(
  { latestTimes, latestValues }: SealedBlock,
  { times, values }: SampleRows<B>,
  row: number,
): boolean {
  const time = times[row] as number;
  let isNewer = false;
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    const value = values[row * SLOTS_PER_BLOCK + slot] as number;
    if (Number.isNaN(value) || time < (latestTimes[slot] as number)) continue;
    latestTimes[slot] = time;
    latestValues[slot] = value;
    isNewer = true;
  }
  return isNewer;
}
