import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { ChunkSpan } from '@tidewatch/domain/chunk/merge-chunks';

/** From where to where a block has new rows, ms. */
export interface BlockRange extends ChunkSpan {
  blockId: number;
}

/**
 * Reads where the chunks of blocks begin and end that overlap their ranges, by block and in order of time. What ranges span should be few
 * days, each of which takes a statement.
 */
export async function readOverlappingChunks(
  tx: Transaction,
  ranges: readonly BlockRange[],
): Promise<Map<number, ChunkSpan[]>> {
  const found = new Map<number, ChunkSpan[]>();
  const days = new Set<number>();
  for (const { first, last } of ranges)
    for (let day = dayOf(first); day <= dayOf(last); day += DAY_MS) days.add(day);
  for (const day of [...days].sort((a, b) => a - b)) {
    const own = ranges.filter(({ first, last }) => last >= day && first < day + DAY_MS);
    for (const { block_id, first, last } of await readOfDay(tx, own, day)) {
      const spans = found.get(block_id);
      if (spans === undefined) found.set(block_id, [{ first, last }]);
      else spans.push({ first, last });
    }
  }
  return found;
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

// No chunk crosses midnight, so what overlaps a range begins in the days of the range.
function readOfDay(tx: Transaction, ranges: readonly BlockRange[], day: number) {
  return tx<{ block_id: number; first: number; last: number }[]>`
    select c.block_id, c.first, c.last
    from (
      select block_id, to_timestamp(first / 1000) as first, to_timestamp(last / 1000) as last
      from unnest(${ranges.map(({ blockId }) => blockId)}::integer[], ${ranges.map(({ first }) => Math.max(first, day))}::float8[],
        ${ranges.map(({ last }) => last)}::float8[]) as r (block_id, first, last)
    ) r
    cross join lateral (
      (select block_id, first, last from sample_chunks
        where block_id = r.block_id and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz and first <= r.first
        order by first desc limit 1)
      union all
      (select block_id, first, last from sample_chunks
        where block_id = r.block_id and first >= ${day}::timestamptz and first < ${day + DAY_MS}::timestamptz
          and first > r.first and first <= r.last)
    ) c
    where c.last >= r.first
    order by c.block_id, c.first`;
}

/** Reads chunks by block and first time, in any order. */
export function readChunks(tx: Transaction, keys: readonly { blockId: number; first: number }[]) {
  return tx<{ block_id: number; first: number; data: Buffer }[]>`
    select c.block_id, c.first, c.data
    from unnest(${keys.map(({ blockId }) => blockId)}::integer[], ${keys.map(({ first }) => first)}::timestamptz[]) as k (block_id, first)
    join sample_chunks c on c.block_id = k.block_id and c.first = k.first`;
}
