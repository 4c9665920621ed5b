import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { type ChunkColumns, decodeChunk } from '@tidewatch/domain/chunk/chunk';
import {
  type ChunkSpan,
  mergeIntoChunks,
  type StoredChunk,
  touchedChunks,
} from '@tidewatch/domain/chunk/merge-chunks';
import { BackgroundTurn } from '../event-loop/background-turn.ts';
import { type DamagedBytes, keepDamaged } from '../sample-damage/keep-damaged.ts';
import type { BlockDay } from '../sample-days/block-days.ts';
import type { ChunkWrites } from './chunk-writes.ts';
import { readChunks } from './overlapping-chunks.ts';

/** The number of chunks that are read at once: 1,024 rows of sixteen doubles take 128 KiB. */
const MAX_READ = 128;

/**
 * Merges rows into the chunks that they lie in. `stored`: where the chunks of their blocks begin and end. Such a chunk that is damaged moves to
 * `damaged_samples`, and the rows become chunks in its place. Returns the blocks of these.
 */
export async function placeAmongChunks(
  tx: Transaction,
  days: readonly BlockDay[],
  stored: ReadonlyMap<number, readonly ChunkSpan[]>,
  writes: ChunkWrites,
): Promise<{ blockId: number; error: MalformedBytesError }[]> {
  const damaged: { blockId: number; error: MalformedBytesError }[] = [];
  const kept: DamagedBytes[] = [];
  const turn = new BackgroundTurn();
  for (const part of inParts(days, stored)) {
    const read = await readChunks(
      tx,
      part.flatMap(({ keys }) => keys),
    );
    const data = new Map(read.map((row) => [keyOf(row.block_id, row.first), row.data]));
    turn.begin();
    for (const { blockId, day, columns, spans } of part) {
      const sound: StoredChunk[] = [];
      for (const span of spans) {
        const bytes = data.get(keyOf(blockId, span.first));
        const chunk = bytes === undefined ? null : decoded(bytes);
        if (bytes === undefined || !(chunk instanceof MalformedBytesError))
          sound.push({ ...span, columns: chunk as ChunkColumns | null });
        else {
          damaged.push({ blockId, error: chunk });
          kept.push({ relation: 'sample_chunks', place: { blockId }, day, error: chunk, data: bytes });
          writes.replace(blockId, span.first);
        }
      }
      const { replaced, written } = mergeIntoChunks(sound, columns);
      for (const first of replaced) writes.replace(blockId, first);
      for (const chunk of written) writes.add(blockId, chunk);
      if (turn.isOver) await turn.yieldWhenDue();
    }
    await keepDamaged(tx, kept.splice(0));
    if (writes.isFull) await writes.flush(tx);
  }
  return damaged;
}

function decoded(bytes: Buffer): ChunkColumns | MalformedBytesError {
  try {
    return decodeChunk(bytes);
  } catch (error) {
    if (error instanceof MalformedBytesError) return error;
    throw error;
  }
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
