import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { type ChunkSpan, mergeIntoChunks, touchedChunks } from '@tidewatch/domain/chunk/merge-chunks';
import { Turn } from '../event-loop/turn.ts';
import type { BlockDay } from '../sample-days/block-days.ts';
import type { ChunkWrites } from './chunk-writes.ts';
import { readChunks } from './overlapping-chunks.ts';

/** The number of chunks that are read at once: 1,024 rows of sixteen doubles take 128 KiB. */
const MAX_READ = 128;

/**
 * Merges rows into the chunks that they lie in. `stored`: where the chunks of their blocks begin and end. Returns the blocks of which such a
 * chunk is damaged; their rows are stored nowhere.
 */
export async function placeAmongChunks(
  tx: Transaction,
  days: readonly BlockDay[],
  stored: ReadonlyMap<number, readonly ChunkSpan[]>,
  writes: ChunkWrites,
): Promise<{ blockId: number; error: MalformedBytesError }[]> {
  const damaged: { blockId: number; error: MalformedBytesError }[] = [];
  const turn = new Turn();
  for (const part of inParts(days, stored)) {
    const read = await readChunks(
      tx,
      part.flatMap(({ keys }) => keys),
    );
    const data = new Map(read.map((row) => [keyOf(row.block_id, row.first), row.data]));
    turn.begin();
    for (const { blockId, columns, spans } of part) {
      try {
        const { replaced, written } = mergeIntoChunks(
          spans.map((span) => {
            const bytes = data.get(keyOf(blockId, span.first));
            return { ...span, columns: bytes === undefined ? null : decodeChunk(bytes) };
          }),
          columns,
        );
        for (const first of replaced) writes.replace(blockId, first);
        for (const chunk of written) writes.add(blockId, chunk);
      } catch (error) {
        if (!(error instanceof MalformedBytesError)) throw error;
        damaged.push({ blockId, error });
      }
      if (turn.isOver) await turn.yieldWhenDue();
    }
    if (writes.isFull) await writes.flush(tx);
  }
  return damaged;
}

interface Touching extends BlockDay {
  spans: readonly ChunkSpan[];
  keys: { blockId: number; first: number }[];
}

/** Divides days of blocks so that those of a part lie in few chunks together. */
function* inParts(
  days: readonly BlockDay[],
  stored: ReadonlyMap<number, readonly ChunkSpan[]>,
): Generator<Touching[]> {
  let part: Touching[] = [];
  let count = 0;
  for (const each of days) {
    const spans = stored.get(each.blockId) ?? [];
    const keys = touchedChunks(spans, each.columns.times).map(({ first }) => ({
      blockId: each.blockId,
      first,
    }));
    if (count > 0 && count + keys.length > MAX_READ) {
      yield part;
      part = [];
      count = 0;
    }
    part.push({ ...each, spans, keys });
    count += keys.length;
  }
  if (part.length > 0) yield part;
}

const keyOf = (blockId: number, first: number): string => `${blockId} ${first}`;
