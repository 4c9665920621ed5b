import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { type BlockStateRow, findBlockStates, findLastRows } from '@tidewatch/store/samples/block-rows';
import type { Block } from './block.ts';

/**
 * Reads the state of blocks before this batch, from rows at or before `latest` (ms). Returns the minutes whose values a
 * lost accumulator may have had and rollups lack, which must be marked dirty.
 */
export async function loadBlockStates(tx: Transaction, blocks: ReadonlySet<Block>, latest: number) {
  const byId = new Map<number, Block>();
  for (const block of blocks) byId.set(block.id, block);
  const lost: { block: Block; time: number }[] = [];
  const newest: { id: number; time: number }[] = [];
  for (const row of await findBlockStates(tx, [...byId.keys()], latest)) {
    const block = byId.get(row.id) as Block;
    restoreBlock(block, row);
    if (row.last_time === null) continue;
    newest.push({ id: row.id, time: row.last_time });
    const minute = bucketOf(row.last_time, MINUTE_MS);
    // Loads the newest minute even if it is rolled up, since a writer that still owned the block may have added later rows.
    if (row.last_minute === null || minute >= row.last_minute) lost.push({ block, time: row.last_time });
  }
  if (newest.length > 0) {
    for (const row of await findLastRows(tx, newest)) {
      const block = byId.get(row.block_id as number) as Block;
      for (let slot = 0; slot < 16; slot++) {
        const value = row[`v${slot}`];
        if (typeof value === 'number') block.observe(slot, row.time as number, value);
      }
    }
  }
  return lost;
}

function restoreBlock(block: Block, row: BlockStateRow): void {
  block.known = true;
  block.lastTime = row.last_time ?? Number.NEGATIVE_INFINITY;
  if (row.last_time !== null) {
    block.minute.open(bucketOf(row.last_time, MINUTE_MS));
    block.tainted = true;
  }
  for (const minute of row.dirty) block.aheadUntil = Math.max(block.aheadUntil, minute);
  for (let slot = 0; slot < 16; slot++) {
    const time = row.times?.[slot] ?? null;
    const value = row.vals?.[slot] ?? null;
    if (time !== null && value !== null) block.observe(slot, time, value);
  }
}
