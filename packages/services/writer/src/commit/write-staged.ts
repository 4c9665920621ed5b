import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { type Copy, CopyRefusedError, copyInTurn } from '@tidewatch/database/copy/copy';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { confirmBlocks } from '@tidewatch/store/retention/dead-blocks';
import type { Partitions } from '@tidewatch/store/retention/partitions';
import { minutesCopy } from '@tidewatch/store/rollups/minute-rows';
import { type RollupFloors, writeBackfill } from '@tidewatch/store/samples/write-backfill';
import { samplesCopy, upsertSamples } from '@tidewatch/store/samples/write-samples';
import { writeSnapshots } from '@tidewatch/store/samples/write-snapshots';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { writeTags } from '@tidewatch/store/services/directory/service-rows';
import type { Block } from '../cache/block.ts';
import { loadBlockStates } from '../cache/block-states.ts';
import type { RollUp } from '../rollups/roll-up.ts';
import type { Staging } from '../staging/staging.ts';
import { storeAdditions, storePartChanges } from './store-additions.ts';

export interface CommitContext {
  partitions: Partitions;
  directory: ServiceDirectory;
  /** The buffer for rows, used by one transaction at a time. */
  buffer: BinaryRows;
  /** ms */
  now: number;
  floors: RollupFloors;
  copyRefused(error: CopyRefusedError): void;
  /** Called with the number of backfilled values that the rollups already contain. */
  copiesLeftOut(count: number): void;
}

/** Writes the staged rows and their rollups in the caller's transaction. */
export async function writeStaged(tx: Transaction, staging: Staging, rollUp: RollUp, context: CommitContext) {
  const { appended, merged, backfilled } = staging;
  if (appended.length + merged.length + backfilled.length > 0) await rollUp.begin(tx);
  if (staging.rested.size > 0)
    await confirmBlocks(
      tx,
      [...staging.rested].map((block) => block.id),
    );
  await storeAdditions(tx, staging.additions, staging.first.blocks);
  await storePartChanges(tx, staging.changedParts);
  if (staging.unknown.size > 0) await loadUnknown(tx, staging, rollUp, context.now);
  rollUp.addMerged(merged);
  rollUp.addAppended(appended);

  const { partitions, buffer } = context;
  await partitions.ensure(tx, 'samples', appended.times.subarray(0, appended.length));
  await partitions.ensure(tx, 'samples', merged.times.subarray(0, merged.length));
  await partitions.ensure(tx, 'samples_backfill', backfilled.times.subarray(0, backfilled.length));
  await partitions.ensure(tx, 'rollup_1m', rollUp.minutes.buckets);

  await append(tx, staging, rollUp, context);
  await upsertSamples(tx, merged, buffer);
  context.copiesLeftOut(await writeBackfill(tx, backfilled, context.floors, buffer));
  await rollUp.writeMarks(tx);
  await staging.first.write(tx, [appended, merged, backfilled], staging.seen, context.now, buffer);

  if (staging.snapshots.size > 0) {
    const snapshots = [...staging.snapshots.values()];
    await partitions.ensure(
      tx,
      'snapshots',
      snapshots.map((snapshot) => snapshot.time),
    );
    await writeSnapshots(tx, snapshots, buffer);
  }
  const retagged = context.directory.retagged();
  if (retagged.length > 0) await writeTags(tx, retagged);
}

async function append(tx: Transaction, staging: Staging, rollUp: RollUp, context: CommitContext) {
  const { appended } = staging;
  const { buffer } = context;
  const copies: Copy[] = [];
  if (appended.length > 0) copies.push(samplesCopy(appended, buffer));
  if (rollUp.minutes.length > 0) copies.push(minutesCopy(rollUp.minutes, buffer));
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
    rollUp.recomputeAll(appended);
    await upsertSamples(tx, appended, buffer);
  }
}

/** Reads the state of blocks that were not cached: their rows are merged, and minutes that a crash lost are recomputed. */
async function loadUnknown(tx: Transaction, staging: Staging, rollUp: RollUp, now: number) {
  const latest = now + MAX_SKEW_MS;
  for (const { block, time } of await loadBlockStates(tx, staging.unknown, latest))
    rollUp.addLost(block, time);
  const { merged } = staging;
  for (let row = 0; row < merged.length; row++) {
    const block = merged.blocks[row] as Block;
    const time = merged.times[row] as number;
    if (!staging.unknown.has(block) || time > latest || time <= block.lastTime) continue;
    if (Number.isFinite(block.lastTime)) rollUp.leaveHour(block, block.lastTime);
    block.lastTime = time;
    block.minute.open(bucketOf(time, MINUTE_MS));
    block.tainted = true;
  }
}
