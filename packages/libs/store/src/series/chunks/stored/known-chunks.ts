import type { Queryable } from '@tidewatch/database/connection';
import { Turn } from '../../../event-loop/turn.ts';
import type { KnownBlocks, Range } from '../../series-columns.ts';
import { type LogPlaces, readLogPlaces } from './block-places.ts';
import { askedBuckets } from './log-buckets.ts';
import { gatherTail, type LogTail } from './log-tail.ts';
import { readStored, type Stored, type StoredRequest } from './stored-rows.ts';

/** What the log has of blocks, which is read once for several questions. */
export class KnownChunks implements KnownBlocks {
  readonly range: Range;
  readonly tail: LogTail;

  constructor(range: Range, tail: LogTail) {
    this.range = range;
    this.tail = tail;
  }
}

/** Reads what the log has of blocks in a range. */
export async function readKnown(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
): Promise<KnownChunks> {
  const { tail } = await readWithTail(tx, blockIds, range, { chunks: [], rows: [] }, undefined);
  return new KnownChunks(range, tail);
}

export interface StoredWithTail extends Stored {
  /** What the log has of the blocks. */
  tail: LogTail;
}

/**
 * Reads chunks and rows of days with what the log has of blocks, unless that is known: all in one snapshot. Of the log it may be known only
 * where it has the blocks.
 */
export async function readWithTail(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
  wanted: Omit<StoredRequest, 'log'>,
  known: KnownBlocks | LogPlaces | undefined,
): Promise<StoredWithTail> {
  if (known !== undefined && !(known instanceof Map)) {
    if (!(known instanceof KnownChunks)) throw new TypeError('the blocks are known to another reader');
    return { ...(await readStored(tx, { ...wanted, log: null })), tail: known.tail };
  }
  const places = (known as LogPlaces | undefined) ?? (await readLogPlaces(tx, blockIds));
  const stored = await readStored(tx, { ...wanted, log: { asked: await askedBuckets(tx, places), range } });
  return { ...stored, tail: await gatherTail(stored.log, places, new Turn()) };
}
