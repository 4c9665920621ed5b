import type { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { PlacedRows } from '@tidewatch/domain/chunk/placed-rows';
import type { Fence } from '../leases/lease.ts';
import { holdBlocks } from '../retention/dead-blocks.ts';
import { holdClosedDays } from '../sample-days/closed-days.ts';
import { MIXED_BUCKET, sharedBucketOf } from './buckets.ts';
import { sampleStateOf } from './sample-layout.ts';
import { readEndedSeq } from './seal-lock.ts';
import { type Sealed, sealRows } from './seal-rows.ts';
import { firstSeqOf, sortRows } from './sort-rows.ts';
import { takeLogRows } from './take-log-rows.ts';
import {
  largeGroups,
  needsSorting,
  readUnsealed,
  type SealExtent,
  sealGroups,
  type UnsealedBucket,
} from './unsealed-log.ts';

/** How often every bucket is sealed, ms. */
export const SEAL_INTERVAL_MS = 300_000;
/** What one transaction seals, bytes of the log: two million samples. */
const MAX_SEALED_BYTES = 8 * 1024 * 1024;
/** Small transactions are sorted once they have this many bytes, and at the beginning of each round. */
const MIN_SORTED_BYTES = 1024 * 1024;
/** How often the log is measured, ms. */
const MEASURE_INTERVAL_MS = 30_000;
/** A sealer that has nothing to do keeps its lease by asking again within this time, ms. */
const MAX_PAUSE_MS = 3_000;

/** What could not be read and is in `damaged_samples`: a row of the log, or a chunk or the late samples of a block. */
export type SealDamage = { error: MalformedBytesError } & (
  | { bucket: number; seq: number }
  | { blockId: number }
);

export interface SealerOptions {
  sql: Sql;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  intervalMs?: number;
  /** Default 8 MiB. */
  maxBytes?: number;
  /** How many blocks are sealed at once. Default 1,024. */
  maxBlocks?: number;
  /** Called with the size of the log (bytes) and the age of its oldest row at most (ms). */
  measured?: (bytes: number, ageMs: number) => void;
  /** Called after the commit of each transaction that sealed. */
  sealed?: (outcome: Omit<Sealed, 'damaged'>) => void;
  damaged?: (damage: SealDamage) => void;
}

/**
 * Seals the log: in rounds of `intervalMs`, over which the buckets are spread in groups, a transaction each. It keeps nothing that
 * cannot be read again, so a round that fails or is killed leaves what it has not committed in the log.
 *
 * What it holds in memory is bounded, however long it was stalled. Of `maxBytes` of the log, what was sorted in between (a megabyte) and
 * what came since the log was measured: the rows themselves, 34 bytes for each block and time in them, and copies of what is late. And 1,024
 * blocks.
 */
export class Sealer {
  readonly #options: SealerOptions;
  readonly #partitions = new Set<number>();
  readonly #rows = new PlacedRows();
  /** The groups of the round that are still to be sealed, and when the first of them is due, ms. */
  #groups: number[][] = [];
  /** Groups that are sealed before their turn. */
  #large: number[][] = [];
  #dueAt = Number.NEGATIVE_INFINITY;
  #pauseMs = 0;
  #nextRoundAt = Number.NEGATIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** Bytes of each bucket when the log was measured, without what was sealed since. */
  #sizes = new Map<number, number>();
  /** Whether the mixed bucket is to be sorted next, and whether the round has sorted it. */
  #mustSort = false;
  #hasSorted = false;
  /** Whether the groups of the round are known, which they are once everything is sorted. */
  #isPlanned = true;

  constructor(options: SealerOptions) {
    this.#options = options;
  }

  /**
   * Does what is due next, in one transaction, and returns how long to wait for the next call, ms. After a failure the next call continues
   * with the next group; what failed is retried in the next round.
   */
  async step(fence?: Fence): Promise<number> {
    const now = this.#options.clock();
    const { intervalMs = SEAL_INTERVAL_MS } = this.#options;
    const hasEnded = this.#isPlanned && !this.#mustSort && this.#groups.length === 0;
    if (hasEnded && now >= this.#nextRoundAt) {
      this.#nextRoundAt = now + intervalMs;
      this.#hasSorted = false;
      await this.#plan(now);
    } else if (this.#mustSort) {
      this.#mustSort = false;
      this.#mustSort = await this.#sort(fence);
      return 0;
    } else if (!this.#isPlanned) {
      await this.#plan(now);
    } else if (now - this.#measuredAt >= Math.min(MEASURE_INTERVAL_MS, intervalMs)) {
      const unsealed = await this.#measure(now);
      this.#large = largeGroups(unsealed, this.#extent(true).maxBytes);
      const mixed = this.#sizes.get(MIXED_BUCKET) ?? 0;
      this.#mustSort = mixed >= MIN_SORTED_BYTES || (mixed > 0 && this.#large.length > 0);
    }
    if (this.#mustSort) return 0;
    const large = this.#large.shift();
    if (large !== undefined) {
      if (await this.#seal(large, fence)) this.#large.unshift(large);
      return 0;
    }
    if (this.#groups.length > 0 && now >= this.#dueAt) {
      const group = this.#groups.shift() as number[];
      if (await this.#seal(group, fence)) this.#groups.unshift(group);
      else this.#dueAt += this.#pauseMs;
    }
    const next = this.#groups.length > 0 ? this.#dueAt : this.#nextRoundAt;
    return Math.max(0, Math.min(next - this.#options.clock(), MAX_PAUSE_MS));
  }

  /** Seals what was committed before the call, and the transactions that were appending then, without pauses. */
  async sealAll(fence?: Fence): Promise<void> {
    await readEndedSeq(this.#options.sql);
    const { clock } = this.#options;
    let unsealed = await this.#measure(clock());
    if (needsSorting(unsealed, this.#extent(false))) {
      while (await this.#sort(fence));
      unsealed = await this.#measure(clock());
    }
    for (const group of sealGroups(unsealed, this.#extent(false))) while (await this.#seal(group, fence));
    await this.#measure(clock());
  }

  /** Plans the groups of a round, unless something has to be sorted first. */
  async #plan(now: number): Promise<void> {
    const { intervalMs = SEAL_INTERVAL_MS } = this.#options;
    const unsealed = await this.#measure(now);
    this.#mustSort = !this.#hasSorted && needsSorting(unsealed, this.#extent(true));
    this.#isPlanned = !this.#mustSort;
    this.#hasSorted = true;
    if (!this.#isPlanned) return;
    this.#groups = sealGroups(unsealed, this.#extent(true));
    this.#dueAt = now;
    this.#pauseMs = intervalMs / Math.max(1, this.#groups.length);
  }

  #extent(isGrowing: boolean): SealExtent {
    return { maxBytes: this.#options.maxBytes ?? MAX_SEALED_BYTES, isGrowing };
  }

  async #measure(now: number): Promise<UnsealedBucket[]> {
    const unsealed = await readUnsealed(this.#options.sql);
    this.#measuredAt = now;
    this.#sizes = new Map(unsealed.map((each) => [each.bucket, each.bytes]));
    const bytes = unsealed.reduce((sum, bucket) => sum + bucket.bytes, 0);
    const since = unsealed.reduce((oldest, bucket) => Math.min(oldest, bucket.since), now);
    this.#options.measured?.(bytes, now - since);
    return unsealed;
  }

  /** Sorts the earliest rows of the mixed bucket; returns whether more are left. */
  async #sort(fence: Fence | undefined): Promise<boolean> {
    const { sql, clock } = this.#options;
    const bound = await readEndedSeq(sql);
    const { hasMore, damaged } = await transact(sql, async (tx) => {
      await fence?.(tx);
      const sorted = await sortRows(tx, bound);
      if (!sorted.hasMore) await noteSealed(tx, [MIXED_BUCKET], bound, clock());
      return sorted;
    });
    for (const damage of damaged) this.#options.damaged?.(damage);
    return hasMore;
  }

  /** Seals the earliest rows of a group; returns whether more are left. */
  async #seal(group: readonly number[], fence: Fence | undefined): Promise<boolean> {
    const { sql, clock, maxBytes = MAX_SEALED_BYTES } = this.#options;
    const known = group.reduce((sum, bucket) => sum + (this.#sizes.get(bucket) ?? 0), 0);
    const bound = await readEndedSeq(sql);
    const now = clock();
    const { hasMore, outcome } = await transact(sql, async (tx) => {
      await fence?.(tx);
      await holdBlocks(tx);
      await holdClosedDays(tx);
      const state = await sampleStateOf(tx);
      const to = Math.min(bound, (await firstUnsorted(tx, group)) - 1);
      const taken = await takeLogRows(tx, group, to, known <= maxBytes ? null : maxBytes);
      this.#rows.clear();
      const damagedRows = await taken.visitRecords(tx, (record) => this.#rows.add(record));
      const options = { now, state, partitions: this.#partitions, maxBlocks: this.#options.maxBlocks };
      const outcome = await sealRows(tx, this.#rows, options);
      await noteSealed(tx, group, taken.hasMore ? taken.takenTo : to, now);
      return { hasMore: taken.hasMore, outcome: { ...outcome, damagedRows } };
    }).catch((error: unknown) => {
      // A partition that the transaction created, or that was dropped since, does not exist.
      this.#partitions.clear();
      throw error;
    });
    // The bytes of the rows need not wait for the next seal.
    this.#rows.clear();
    if (!hasMore) for (const bucket of group) this.#sizes.delete(bucket);
    const { damagedRows, damaged, ...sealed } = outcome;
    for (const damage of [...damagedRows, ...damaged]) this.#options.damaged?.(damage);
    this.#options.sealed?.(sealed);
    return hasMore;
  }
}

/**
 * The number of the first row of several buckets that is not sealed with the group and may hold services of its buckets: what is sealed beyond
 * it would count as earlier.
 */
function firstUnsorted(tx: Transaction, group: readonly number[]): Promise<number> {
  const others = [MIXED_BUCKET, ...group.filter((bucket) => bucket >= 0).map(sharedBucketOf)];
  return firstSeqOf(
    tx,
    [...new Set(others)].filter((bucket) => !group.includes(bucket)),
  );
}

async function noteSealed(
  tx: Transaction,
  buckets: readonly number[],
  sealedTo: number,
  now: number,
): Promise<void> {
  await tx`
    insert into sample_buckets as stored (bucket, sealed_to, sealed_at)
    select bucket, ${sealedTo}::bigint, ${now}::timestamptz from unnest(${buckets as number[]}::smallint[]) as b (bucket)
    on conflict (bucket) do update set sealed_to = greatest(stored.sealed_to, excluded.sealed_to), sealed_at = excluded.sealed_at`;
}
