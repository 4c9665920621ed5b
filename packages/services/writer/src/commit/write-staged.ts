import type { Transaction } from '@tidewatch/database/connection';
import { confirmBlocks } from '@tidewatch/store/retention/dead-blocks';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { writeTags } from '@tidewatch/store/services/directory/service-rows';
import type { SampleSink, SinkContext } from '../sinks/sample-sink.ts';
import type { Staging } from '../staging/staging.ts';
import { storeAdditions, storePartChanges } from './store-additions.ts';

export interface CommitContext extends SinkContext {
  directory: ServiceDirectory;
}

/** Writes what is staged in the caller's transaction, samples by the sink. */
export async function writeStaged(
  tx: Transaction,
  staging: Staging,
  sink: SampleSink,
  context: CommitContext,
): Promise<void> {
  if (staging.samples > 0) await sink.begin(tx);
  if (staging.rested.size > 0)
    await confirmBlocks(
      tx,
      [...staging.rested].map((block) => block.id),
    );
  await storeAdditions(tx, staging.additions, staging.first.blocks);
  await storePartChanges(tx, staging.changedParts);
  await sink.write(tx, context);
  if (staging.first.blocks.size > 0) sink.observeFirst(staging.first.blocks, context.now);
  await staging.first.write(tx, staging.seen, context.now, context.buffer);
  if (staging.snapshots.size > 0) await sink.writeSnapshots(tx, [...staging.snapshots.values()], context);
  const retagged = context.directory.retagged();
  if (retagged.length > 0) await writeTags(tx, retagged);
}
