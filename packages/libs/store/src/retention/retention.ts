import { AS_OF_REACHES_MS } from '@tidewatch/contracts/queries/query';
import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import {
  COARSEST_TIER,
  coarserOf,
  ROLLUP_TIERS,
  type RollupTier,
  type SourceTier,
  TIER_FACTS,
  TIERS,
} from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import type { Fence } from '../leases/lease.ts';
import { type PartitionedTable, type Partitions, perRelation } from './partitions.ts';

/** How long changes of tags are kept, ms: investigations read no older changes. */
const TAG_CHANGES_KEPT_MS = 30 * DAY_MS;

/** How long the spend on models is kept, ms: budgets cover a day at most. */
const SPEND_KEPT_MS = 30 * DAY_MS;

/** How long receipts of ingest and their marks are kept, ms. */
const RECEIPTS_KEPT_MS = 2 * DAY_MS;

/** The earliest time (ms) of rows in `samples`: the start of the UTC day in which raw retention ends. */
export function rawFloor(now: number, retention: RetentionDays): number {
  return Math.floor((now - retention.raw * DAY_MS) / DAY_MS) * DAY_MS;
}

/** Samples before this time (ms) are not stored at all. */
export function backfillFloor(now: number, retention: RetentionDays): number {
  return now - retention[COARSEST_TIER] * DAY_MS;
}

/** The times (ms) from which on the rollups of minutes and hours are complete. */
export function rollupFloors(now: number, retention: RetentionDays): { minute: number; hour: number } {
  return { minute: now - retention['1m'] * DAY_MS, hour: now - retention['1h'] * DAY_MS };
}

/** Creates the partitions of `tables`, all by default, from the start of raw retention to 48 h ahead; returns how many. */
export async function ensureAhead(
  sql: Sql,
  partitions: Partitions,
  now: number,
  retention: RetentionDays,
  { fence, tables }: { fence?: Fence | undefined; tables?: readonly PartitionedTable[] } = {},
) {
  let created = 0;
  const days = (from: number, to: number) => {
    const times: number[] = [];
    for (let time = from; time <= to; time += DAY_MS) times.push(time);
    return times;
  };
  const ahead = now + 2 * DAY_MS;
  const times: Record<PartitionedTable, number[]> = {
    ...perRelation((tier) =>
      TIER_FACTS[tier].partition === 'day'
        ? days(rawFloor(now, retention), ahead)
        : [rawFloor(now, retention), now, ahead],
    ),
    samples_backfill: [now],
    snapshots: days(now - retention.snapshots * DAY_MS, ahead),
  };
  for (const [table, wanted] of Object.entries(times)) {
    if (tables?.includes(table as PartitionedTable) === false) continue;
    try {
      created += await transact(sql, async (tx) => {
        await fence?.(tx);
        return await partitions.ensure(tx, table as PartitionedTable, wanted);
      });
    } catch (error) {
      partitions.invalidate();
      throw error;
    }
  }
  return created;
}

export interface Dropped {
  partitions: string[];
  alerts: number;
  events: number;
  notifications: number;
  silences: number;
  investigations: number;
  markers: number;
  tagChanges: number;
}

const SOURCE_TIERS = TIERS.filter((tier): tier is SourceTier => coarserOf(tier) !== undefined);

/**
 * The tiers that are computed, directly or through finer ones, from rows of `source`: as long as one of them has a mark,
 * these rows are kept.
 */
export function tiersComputedFrom(source: SourceTier): RollupTier[] {
  return ROLLUP_TIERS.slice(0, ROLLUP_TIERS.indexOf(coarserOf(source)) + 1);
}

/** Versions of alerts, services and parts are kept a day longer than `as_of` may reach back. */
const VERSIONS_KEPT_MS = AS_OF_REACHES_MS + DAY_MS;
/** The number of rows that one transaction deletes. */
const PART = 5_000;
/** The number of investigations that one transaction deletes, each with its evidence. */
const PART_OF_INVESTIGATIONS = 200;

/** The primary key of most tables. */
const ID = ['organization_id', 'id'];

/** The condition of the rows of a table whose retention has ended. */
type Condition = (tx: Transaction) => ReturnType<Transaction>;

export interface RetentionRound {
  partitions: Partitions;
  /** The time (ms) from which on rows of a tier are still needed to compute rollups; infinity if none are. */
  neededFrom(tx: Transaction, tier: SourceTier): Promise<number>;
  /** ms */
  now: number;
  retention: RetentionDays;
  fence?: Fence | undefined;
}

/**
 * Drops data whose retention has ended. Raw partitions are dropped an hour later, so that no transaction still writes to
 * them, and only if none of their minutes is dirty.
 */
export async function enforceRetention(sql: Sql, round: RetentionRound): Promise<Dropped> {
  const { partitions, now, retention, fence } = round;
  const before: Record<PartitionedTable, number> = {
    ...perRelation((tier) => now - retention[tier] * DAY_MS),
    samples: rawFloor(now - HOUR_MS, retention),
    snapshots: now - retention.snapshots * DAY_MS,
    samples_backfill: backfillFloor(now, retention),
  };
  const dropped: Dropped = {
    partitions: [],
    alerts: 0,
    events: 0,
    notifications: 0,
    silences: 0,
    investigations: 0,
    markers: 0,
    tagChanges: 0,
  };
  for (const [name, limit] of Object.entries(before)) {
    const table = name as PartitionedTable;
    const names = await transact(sql, async (tx) => {
      // A short lock timeout, so that a long query delays retention and not the ingest that would queue behind its lock.
      await tx`set local lock_timeout = '2s'`;
      await fence?.(tx);
      const source = SOURCE_TIERS.find((tier) => TIER_FACTS[tier].relation === table);
      const needed = source === undefined ? Number.POSITIVE_INFINITY : await round.neededFrom(tx, source);
      const bound = Math.min(limit, needed);
      if (bound === Number.NEGATIVE_INFINITY) return [];
      return await partitions.drop(tx, table, bound);
    });
    dropped.partitions.push(...names);
  }
  const alertsBefore = now - retention.alerts * DAY_MS;
  const drop = (statement: (tx: Transaction) => Promise<{ count: number }>, part = PART) =>
    inParts(sql, fence, part, statement);
  const dropRows = (table: string, key: readonly string[], chosen: Condition, part = PART) =>
    drop(
      (tx) => tx`
        delete from ${tx(table)} where (${tx(key)}) in (
          select ${tx(key)} from ${tx(table)} where ${chosen(tx)} limit ${part})`,
      part,
    );
  dropped.alerts = await dropRows(
    'alerts',
    ID,
    (tx) => tx`status = 'resolved' and resolved_at < ${alertsBefore}`,
  );
  dropped.silences = await dropRows('silences', ID, (tx) => tx`ended_at < ${alertsBefore}`);
  // Checks only the oldest events, since events are published in the order of their ids.
  dropped.events = await drop(
    (tx) => tx`
      delete from outbox where id in (
        select id from (select id, published_at from outbox order by id limit ${PART}) o
        where published_at < ${alertsBefore})`,
  );
  const isOld: Condition = (tx) => tx`status <> 'queued' and created_at < ${alertsBefore}`;
  dropped.notifications = await dropRows('notifications', ID, isOld);
  const investigationsBefore = now - retention.investigations * DAY_MS;
  dropped.investigations = await dropRows(
    'investigations',
    ID,
    (tx) => tx`status not in ('queued', 'running') and created_at < ${investigationsBefore}`,
    PART_OF_INVESTIGATIONS,
  );
  dropped.markers = await dropRows('markers', ID, (tx) => tx`at < ${investigationsBefore}`);
  const tagChangesBefore = now - TAG_CHANGES_KEPT_MS;
  const keyOfTagChange = ['organization_id', 'service_id', 'at'];
  dropped.tagChanges = await dropRows('tag_changes', keyOfTagChange, (tx) => tx`at < ${tagChangesBefore}`);
  const keyOfSpend = ['organization_id', 'hour', 'severity_class'];
  await dropRows('investigation_spend', keyOfSpend, (tx) => tx`hour < ${now - SPEND_KEPT_MS}`);
  const receiptsBefore = now - RECEIPTS_KEPT_MS;
  await dropRows('ingest_receipts', ID, (tx) => tx`accepted_at < ${receiptsBefore}`);
  await drop(
    (tx) => tx`
      delete from ingest_receipt_marks m using (
        select organization_id, receipt_id, consumer, partition, "offset" from ingest_receipt_marks
        where at < ${receiptsBefore} limit ${PART}) o
      where m.organization_id = o.organization_id and m.receipt_id = o.receipt_id and m.consumer = o.consumer
        and m.partition = o.partition and m."offset" = o."offset"`,
  );
  const keyOfRecord = ['topic', 'partition', 'offset'];
  await dropRows('unreadable_records', keyOfRecord, (tx) => tx`at < ${receiptsBefore}`);
  // The time back to which lists as of a time may read versions.
  const versionsBefore = now - VERSIONS_KEPT_MS;
  for (const noun of ['alert', 'service', 'part']) {
    const keyOfVersion = ['organization_id', `${noun}_id`, 'number'];
    await dropRows(`${noun}_versions`, keyOfVersion, (tx) => tx`until < ${versionsBefore}`);
  }
  // Deletes the counts of blocks that were created while their service was being deleted.
  await drop(
    (tx) => tx`
      update blocks set listed = false where id in (
        select b.id from services s join blocks b on b.organization_id = s.organization_id and b.service_id = s.id
        where s.deleted_at >= ${now - DAY_MS} and b.listed limit ${PART})`,
  );
  // Deletes the states of streams that no longer flap; those that flap have a later `changed_at`.
  const keyOfStream = ['organization_id', 'rule_id', 'service_id', 'subject_kind', 'subject_name'];
  await dropRows('flapping_streams', keyOfStream, (tx) => tx`changed_at < ${now - DAY_MS}`);
  const keyOfWindow = ['organization_id', 'rule_id', 'channel', 'direction'];
  await dropRows('notification_windows', keyOfWindow, (tx) => tx`ends_at < ${alertsBefore}`);
  return dropped;
}

/** Deletes rows in parts, each in its own transaction, until a part is not full; returns how many. */
async function inParts(
  sql: Sql,
  fence: Fence | undefined,
  part: number,
  statement: (tx: Transaction) => Promise<{ count: number }>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { count } = await transact(sql, async (tx) => {
      await fence?.(tx);
      return await statement(tx);
    });
    deleted += count;
    if (count < part) return deleted;
  }
}
