import type { Transaction } from '@tidewatch/database/connection';
import { dateOf } from '../sample-days/packed-partitions.ts';

/** Bytes that cannot be read, and where they stood. */
export interface DamagedBytes {
  /** `late_samples`: a chunk of samples for a closed day whose row is damaged. */
  readonly relation: 'sample_log' | 'sample_chunks' | 'late_samples' | 'packed_days' | 'snapshot_log';
  /** The organization and number of a row of a log, or the block of another one. */
  readonly place: { organizationId: string; bucket: number; seq: number } | { blockId: number };
  /** The start of the day or month, ms, with whose rows the bytes are dropped. */
  readonly day: number;
  readonly error: Error;
  readonly data: Buffer;
}

/** Keeps bytes in `damaged_samples`, in the transaction that stores others in their place. */
export async function keepDamaged(tx: Transaction, all: readonly DamagedBytes[]): Promise<void> {
  for (const { relation, place, day, error, data } of all) {
    const ofLog = 'seq' in place ? place : null;
    const blockId = 'blockId' in place ? place.blockId : null;
    await tx`
      insert into damaged_samples (organization_id, relation, bucket, seq, block_id, day, reason, data)
      values (coalesce(${ofLog?.organizationId ?? null}::text, (select organization_id from blocks where id = ${blockId}::integer), ''),
        ${relation}, ${ofLog?.bucket ?? null}::smallint, ${ofLog?.seq ?? null}::bigint, ${blockId}::integer, ${dateOf(day)}::date,
        ${error.message}, ${data}::bytea)`;
  }
}
