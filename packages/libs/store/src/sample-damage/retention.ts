import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import type { Fence } from '../leases/lease.ts';
import { dateOf } from '../sample-days/packed-partitions.ts';

/** Deletes damaged bytes of days whose rows retention has dropped; returns how many. `now`: ms. */
export async function dropDamaged(
  sql: Sql,
  retention: RetentionDays,
  { now, fence }: { now: number; fence?: Fence | undefined },
): Promise<number> {
  return await transact(sql, async (tx) => {
    await fence?.(tx);
    const before = (days: number) => dateOf(now - (days + 1) * DAY_MS);
    const { count } = await tx`
      delete from damaged_samples where day < case relation
        when 'packed_days' then ${before(retention['1d'] + 30)}::date
        when 'snapshot_log' then ${before(retention.snapshots)}::date
        else ${before(retention.raw)}::date end`;
    return count;
  });
}
