import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import type { LatestBlock } from '../latest/latest-block.ts';

/**
 * Updates the latest values of a block by new rows, those after `until` (ms) excepted. Of equal times the new value counts. Returns
 * whether anything changed.
 */
export function observeColumns(block: LatestBlock, { times, slots }: ChunkColumns, until: number): boolean {
  let changed = false;
  for (const [slot, column] of slots.entries()) {
    if (column === null) continue;
    let row = times.length - 1;
    while (row >= 0 && ((times[row] as number) > until || Number.isNaN(column[row]))) row -= 1;
    if (row < 0 || (times[row] as number) < (block.latestTimes[slot] as number)) continue;
    block.latestTimes[slot] = times[row] as number;
    block.latestValues[slot] = column[row] as number;
    changed = true;
  }
  return changed;
}

/**
 * The same for a host whose clock was set back: what is after `until` is from before that, and counts only where the rows have no
 * value since. `newest`: the newest sample time by the present clock, ms.
 */
export function observeSetBack(
  block: LatestBlock,
  columns: ChunkColumns,
  { until, newest }: { until: number; newest: number },
): boolean {
  const { latestTimes } = block;
  const stale = Array.from(latestTimes, (time) => time > until);
  for (const [slot, isStale] of stale.entries()) if (isStale) latestTimes[slot] = Number.NEGATIVE_INFINITY;
  const changed = observeColumns(block, columns, until);
  for (const [slot, isStale] of stale.entries())
    if (isStale && latestTimes[slot] === Number.NEGATIVE_INFINITY) latestTimes[slot] = newest;
  return changed || stale.includes(true);
}
