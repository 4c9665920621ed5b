import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import type { CopyRefusedError } from '@tidewatch/database/copy/copy';
import type { Partitions } from '@tidewatch/store/retention/partitions';
import type { RollupFloors } from '@tidewatch/store/samples/write-backfill';
import type { Snapshot } from '@tidewatch/store/samples/write-snapshots';
import type { Block } from '../cache/block.ts';
import type { Subject } from '../cache/subject.ts';
import type { WriterMeters } from '../writer-metrics.ts';

/** What sinks need to write. */
export interface SinkContext {
  partitions: Partitions;
  /** The buffer for rows, used by one transaction at a time. */
  buffer: BinaryRows;
  /** Blocks that the transaction creates. */
  created: ReadonlySet<Block>;
  /** ms */
  now: number;
  floors: RollupFloors;
  copyRefused(error: CopyRefusedError): void;
  /** Called with the number of backfilled values that the rollups already contain. */
  copiesLeftOut(count: number): void;
}

/** When samples were taken. */
export interface StagedTime {
  /** ms */
  time: number;
  /** Whether they are older than raw retention, and are to be backfilled. */
  isOld: boolean;
  /** Whether they are further ahead of our clock than clock skew may be. */
  isAhead: boolean;
}

/** Who is to know of latest values that have changed. */
export interface LatestObservers {
  /** Called once for each block, before its values are updated; they are only where it returns true. */
  isWanted(block: Block): boolean;
  /** Called after values of the parts of a host were updated. */
  parts(subject: Subject): void;
}

/**
 * Where samples go. In each transaction: `clear`, `stage` for each subject of each payload, `begin`, `write`
 * once new blocks have their ids, `observeFirst`; after the commit `observe` and `count`.
 */
export interface SampleSink {
  clear(): void;
  /** Stages values of a subject, each at its place (ordinal * 16 + slot). The lists are used until the transaction ends. */
  stage(subject: Subject, places: readonly number[], values: readonly number[], at: StagedTime): void;
  /** Ends what blocks without samples since `before` (ms, our clock) have open in memory. */
  endIdle(blocks: Iterable<Block>, before: number): void;
  /** Precedes whatever else the transaction writes, if it writes samples. */
  begin(tx: Transaction): Promise<void>;
  write(tx: Transaction, context: SinkContext): Promise<void>;
  /** Writes the containers and processes of payloads, each service and time once; at most once in a transaction. */
  writeSnapshots(tx: Transaction, snapshots: readonly Snapshot[], context: SinkContext): Promise<void>;
  /** Updates the latest values of these new blocks by what is staged; `now` in ms. */
  observeFirst(blocks: ReadonlySet<Block>, now: number): void;
  /** Updates the latest values that are not left to a seal by what is staged; `now` in ms. */
  observe(now: number, observers: LatestObservers): void;
  /** Counts what was committed. */
  count(meters: WriterMeters): void;
}
