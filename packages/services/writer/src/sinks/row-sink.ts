import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { type Copy, CopyRefusedError, copyInTurn } from '@tidewatch/database/copy/copy';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { LateBuckets } from '@tidewatch/store/backends/storage-backend';
import { minutesCopy } from '@tidewatch/store/rollups/minute-rows';
import { SampleRows } from '@tidewatch/store/samples/sample-rows';
import { writeBackfill } from '@tidewatch/store/samples/write-backfill';
import { samplesCopy, upsertSamples } from '@tidewatch/store/samples/write-samples';
import { type Snapshot, writeSnapshots } from '@tidewatch/store/samples/write-snapshots';
import type { Block } from '../cache/block.ts';
import { loadBlockStates } from '../cache/block-states.ts';
import type { Subject } from '../cache/subject.ts';
import { observeRows } from '../latest-values/first-values.ts';
import { LateRollUp } from '../rollups/late-roll-up.ts';
import { AccumulatingRollUp, type RollUp } from '../rollups/roll-up.ts';
import type { WriterMeters } from '../writer-metrics.ts';
import { MergedRows } from './merged-rows.ts';
import type { LatestObservers, SampleSink, SinkContext, StagedTime } from './sample-sink.ts';

/**
 * Keeps samples as rows of sixteen slots: `#appended` rows are new to the store, `#merged` and `#backfilled` ones may exist. Values with
 * the same block and time become one row, in which the newest arrival of each value wins.
 */
export class RowSink implements SampleSink {
  readonly #appended = new SampleRows<Block>();
  readonly #merged = new MergedRows();
  readonly #backfilled = new MergedRows();
  readonly #rollUp: RollUp;
  /** Blocks whose state must be read before merged rows are written. */
  #unknown = new Set<Block>();
  #batch = 0;

  /** `late`: that of the storage backend; null if rollups are computed here. */
  constructor(late: LateBuckets | null) {
    this.#rollUp = late === null ? new AccumulatingRollUp() : new LateRollUp(late);
  }

  /** Begins with a new set, because the contents of a cleared one stay in memory until the next full collection. */
  clear(): void {
    this.#batch++;
    this.#appended.clear();
    this.#merged.clear();
    this.#backfilled.clear();
    this.#unknown = new Set();
    this.#rollUp.clear();
  }

  stage(
    subject: Subject,
    places: readonly number[],
    reported: readonly number[],
    { time, isOld, isAhead }: StagedTime,
  ): void {
    if (isOld) {
      this.#backfilled.add(subject, places, reported, time);
      return;
    }
    let ordinal = -1;
    let values: Float64Array = this.#appended.values;
    let offset = 0;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      if (place >> 4 !== ordinal) {
        ordinal = place >> 4;
        const block = subject.blocks[ordinal] as Block;
        const appends = this.#appends(block, time, isAhead);
        offset = (appends ? this.#appendedRow(block, time) : this.#mergedRow(block, time)) * 16;
        values = appends ? this.#appended.values : this.#merged.rows.values;
      }
      values[offset + (place & 15)] = reported[index] as number;
    }
  }

  endIdle(blocks: Iterable<Block>, before: number): void {
    this.#rollUp.flushIdle(blocks, before);
  }

  begin(tx: Transaction): Promise<void> {
    return this.#rollUp.begin(tx);
  }

  async write(tx: Transaction, context: SinkContext): Promise<void> {
    const appended = this.#appended;
    const merged = this.#merged.rows;
    const rollUp = this.#rollUp;
    const backfilled = this.#backfilled.rows;
    const { partitions, buffer } = context;
    for (const block of backfilled.blocks) if (!block.known) this.#unknown.add(block);
    if (this.#unknown.size > 0) await this.#loadUnknown(tx, context.now);
    rollUp.addMerged(merged);
    rollUp.addAppended(appended);
    await partitions.ensure(tx, 'samples', appended.times.subarray(0, appended.length));
    await partitions.ensure(tx, 'samples', merged.times.subarray(0, merged.length));
    await partitions.ensure(tx, 'samples_backfill', backfilled.times.subarray(0, backfilled.length));
    await partitions.ensure(tx, 'rollup_1m', rollUp.minutes.buckets);
    await this.#append(tx, context);
    await upsertSamples(tx, merged, buffer);
    context.copiesLeftOut(await writeBackfill(tx, backfilled, context.floors, buffer));
    await rollUp.writeMarks(tx);
  }

  async writeSnapshots(
    tx: Transaction,
    snapshots: readonly Snapshot[],
    { partitions, buffer }: SinkContext,
  ): Promise<void> {
    const times = snapshots.map(({ time }) => time);
    await partitions.ensure(tx, 'snapshots', times);
    await writeSnapshots(tx, snapshots, buffer);
  }

  observeFirst(blocks: ReadonlySet<Block>, now: number): void {
    this.#observe(now, (block) => blocks.has(block));
  }

  observe(now: number, { isWanted }: LatestObservers): void {
    this.#observe(now, isWanted);
  }

  #observe(now: number, isWanted: (block: Block) => boolean): void {
    observeRows(this.#appended, now, isWanted);
    observeRows(this.#merged.rows, now, isWanted);
    observeRows(this.#backfilled.rows, now, isWanted);
  }

  count({ rows }: WriterMeters): void {
    rows.inc({ path: 'appended' }, this.#appended.length);
    rows.inc({ path: 'merged' }, this.#merged.rows.length);
    rows.inc({ path: 'backfilled' }, this.#backfilled.rows.length);
    rows.inc({ path: 'minute' }, this.#rollUp.minutes.length);
  }

  #appends(block: Block, time: number, isAhead: boolean): boolean {
    if (isAhead || !block.known) return false;
    return time > block.lastTime || (block.stagedBatch === this.#batch && time === block.lastTime);
  }

  #appendedRow(block: Block, time: number): number {
    if (block.stagedBatch === this.#batch && time === block.lastTime) return block.stagedRow;
    block.stagedBatch = this.#batch;
    block.stagedRow = this.#appended.append(block, time);
    block.lastTime = time;
    return block.stagedRow;
  }

  #mergedRow(block: Block, time: number): number {
    if (!block.known && block.id !== 0) this.#unknown.add(block);
    return this.#merged.rowOf(block, time);
  }

  async #append(tx: Transaction, context: SinkContext): Promise<void> {
    const appended = this.#appended;
    const { buffer } = context;
    const copies: Copy[] = [];
    if (appended.length > 0) copies.push(samplesCopy(appended, buffer));
    if (this.#rollUp.minutes.length > 0) copies.push(minutesCopy(this.#rollUp.minutes, buffer));
    const [first] = copies;
    if (first === undefined) return;
    first.statement = `savepoint before_append; ${first.statement}`;
    try {
      await copyInTurn(tx, copies);
    } catch (error) {
      if (!(error instanceof CopyRefusedError)) throw error;
      // Some rows existed already, so the whole group is written again by upsert.
      context.copyRefused(error);
      await tx`rollback to savepoint before_append`;
      this.#rollUp.recomputeAll(appended);
      await upsertSamples(tx, appended, buffer);
    }
  }

  /** Reads the state of blocks that were not cached: their rows are merged, and minutes that a crash lost are recomputed. */
  async #loadUnknown(tx: Transaction, now: number): Promise<void> {
    const latest = now + MAX_SKEW_MS;
    for (const { block, time } of await loadBlockStates(tx, this.#unknown, latest))
      this.#rollUp.addLost(block, time);
    const { rows } = this.#merged;
    for (let row = 0; row < rows.length; row++) {
      const block = rows.blocks[row] as Block;
      const time = rows.times[row] as number;
      if (!this.#unknown.has(block) || time > latest || time <= block.lastTime) continue;
      if (Number.isFinite(block.lastTime)) this.#rollUp.leaveHour(block, block.lastTime);
      block.lastTime = time;
      block.minute.open(bucketOf(time, MINUTE_MS));
      block.tainted = true;
    }
  }
}
