import type { Transaction } from '@tidewatch/database/connection';
import { logBucketOf } from './buckets.ts';
import { LogPacker } from './log-packer.ts';
import { insertLogRows } from './log-row.ts';
import { drawSeqs } from './seal-lock.ts';

/** The values of one subject at one time. */
export interface SubjectSample {
  organizationId: string;
  serviceId: string;
  /** The id of the subject's first block. */
  anchor: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** The ids of the blocks that have values. */
  ids: readonly number[];
  /** Sixteen values for each of `ids`, NaN for a slot without one. */
  values: ArrayLike<number>;
}

/**
 * Appends samples to the log in the caller's transaction, which may do so once. Returns the numbers that it drew. `minRowBytes` is that of
 * `LogPacker`.
 */
export async function appendLog(
  tx: Transaction,
  samples: readonly SubjectSample[],
  minRowBytes?: number,
): Promise<number[]> {
  const packer = new LogPacker(minRowBytes);
  for (const { organizationId, serviceId, anchor, time, ids, values } of samples)
    packer.add(organizationId, logBucketOf(serviceId), anchor, time, ids, values);
  const seqs = await drawSeqs(tx, packer.turns);
  await insertLogRows(tx, packer.rows(seqs));
  return seqs;
}
