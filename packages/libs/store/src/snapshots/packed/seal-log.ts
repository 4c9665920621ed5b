import { type Sql, transact } from '@tidewatch/database/connection';
import type { Fence } from '../../leases/lease.ts';
import { holdClosedDays } from '../../sample-days/closed-days.ts';
import { type SealedSnapshots, sealSnapshots } from './seal-snapshots.ts';

/** About how many bytes of the log one transaction seals. */
const MAX_SEALED_BYTES = 1_048_576;

export interface SealLogOptions {
  /** Returns the number up to which all rows of the log are committed: `readEndedSeq`. */
  bound(sql: Sql): Promise<number>;
  maxBytes?: number;
  fence?: Fence | undefined;
  /** Called in each transaction, at its end. */
  sealed?: ((outcome: SealedSnapshots) => Promise<void> | void) | undefined;
}

/**
 * Seals all snapshots that were committed before the call, several buckets in a transaction where these are small; returns the rows
 * that could not be read. What it has not committed when it fails is left in the log.
 */
export async function sealLog(
  sql: Sql,
  { bound, maxBytes = MAX_SEALED_BYTES, fence, sealed }: SealLogOptions,
): Promise<SealedSnapshots['damaged']> {
  const ended = await bound(sql);
  const sizes = await sql<{ bucket: number; bytes: number }[]>`
    select bucket, sum(octet_length(data))::float8 as bytes from snapshot_log where seq <= ${ended} group by bucket order by bucket`;
  const damaged: SealedSnapshots['damaged'] = [];
  for (const buckets of groupBuckets(sizes, maxBytes))
    for (let hasMore = true; hasMore; ) {
      const outcome = await transact(sql, async (tx) => {
        await fence?.(tx);
        await holdClosedDays(tx);
        const done = await sealSnapshots(tx, { buckets, bound: ended, maxBytes });
        await sealed?.(done);
        return done;
      });
      damaged.push(...outcome.damaged);
      ({ hasMore } = outcome);
    }
  return damaged;
}

function groupBuckets(sizes: readonly { bucket: number; bytes: number }[], maxBytes: number): number[][] {
  const groups: number[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const { bucket, bytes } of sizes) {
    if (total + bytes > maxBytes) {
      groups.push([]);
      total = 0;
    }
    groups.at(-1)?.push(bucket);
    total += bytes;
  }
  return groups;
}
