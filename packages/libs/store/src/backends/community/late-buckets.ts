import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { LateBuckets } from '../storage-backend.ts';

/**
 * The advisory lock of `sealed_to`: writers hold it shared while they rely on the value, a refresh holds it exclusively to
 * raise the value.
 */
export const SEAL_LOCK = 7_115_030_002;

export function createLateBuckets(): LateBuckets {
  return {
    async hold(tx) {
      await tx`select pg_advisory_xact_lock_shared(${SEAL_LOCK}::bigint)`;
      // Lifts the limit of decompressed tuples, beyond which a batch would be refused at every retry.
      const [row] = await tx<{ sealed_to: number }[]>`
        select sealed_to, set_config('timescaledb.max_tuples_decompressed_per_dml_transaction', '0', true)
        from rollup_progress`;
      return row?.sealed_to ?? Number.NEGATIVE_INFINITY;
    },
    async mark(tx, times) {
      const minutes = new Set<number>();
      for (const time of times) minutes.add(bucketOf(time, MINUTE_MS) / 1000);
      if (minutes.size === 0) return;
      await tx`
        insert into late_buckets (tier, bucket)
        select '1m', to_timestamp(seconds) from unnest(${[...minutes]}::float8[]) as m (seconds)`;
    },
  };
}
