import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { closeBatch, readClosableDays } from '@tidewatch/store/sample-days/close-day';
import { enforcePackedRetention } from '@tidewatch/store/sample-days/retention';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { readEndedSeq } from '@tidewatch/store/sample-log/seal-lock';
import { Sealer } from '@tidewatch/store/sample-log/sealer';
import { readUnsealed } from '@tidewatch/store/sample-log/unsealed-log';
import { sealLog } from '@tidewatch/store/snapshots/packed/seal-log';
import { withAdmin } from '../database.ts';
import { ownCpu } from '../measure/processor.ts';
import type { SealFigures, SealOrder } from './messages.ts';

/** How often to try again where the product seals the same rows. */
const ATTEMPTS = 5;
const RETRY_MS = 1_000;

process.once('message', (order: SealOrder) => {
  void withAdmin(order.dataDir, sealAll).then((figures) => {
    process.send?.(figures);
    process.disconnect();
  });
});

async function sealAll(sql: Sql): Promise<SealFigures> {
  const figures: SealFigures = { cpuSeconds: 0, samples: 0, chunks: 0, closedBlocks: 0 };
  const fail = ({ error }: { error: Error }): never => {
    throw new Error('the log has damaged bytes', { cause: error });
  };
  if ((await readSampleLayout(sql)) !== 'log') return figures;
  const before = ownCpu();
  const sealer = new Sealer({
    sql,
    clock: Date.now,
    sealed({ samples, chunks }) {
      figures.samples += samples;
      figures.chunks += chunks;
    },
    damaged: fail,
  });
  await again(async () => {
    while ((await readUnsealed(sql)).length > 0) await sealer.sealAll();
  });
  (await again(() => sealLog(sql, { bound: readEndedSeq }))).forEach(fail);
  await again(() => closeDays(sql, figures, fail));
  await enforcePackedRetention(sql, DEFAULT_RETENTION_DAYS, { now: Date.now() + HOUR_MS + MINUTE_MS });
  figures.cpuSeconds = ownCpu() - before;
  return figures;
}

async function closeDays(sql: Sql, figures: SealFigures, fail: (damage: { error: Error }) => never) {
  for (const day of await readClosableDays(sql, Date.now()))
    for (let isDone = false; !isDone; ) {
      const batch = await closeBatch(sql, day, { now: Date.now() });
      figures.closedBlocks += batch.blocks;
      batch.damaged.forEach(fail);
      ({ isDone } = batch);
    }
}

async function again<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
}
