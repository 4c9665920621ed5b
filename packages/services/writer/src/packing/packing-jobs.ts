import type { Fence } from '@tidewatch/store/leases/lease';
import { createJob } from '../jobs/job.ts';
import { LeasedRounds } from '../jobs/leased-rounds.ts';
import { whileWritten } from '../jobs/while-written.ts';
import { createDayClosing } from './day-closing.ts';
import type { PackingOptions } from './packing-options.ts';
import { createSealing, SEAL_RETRY_MS } from './sealing.ts';
import { createSnapshotSealing } from './snapshot-sealing.ts';

const RETRY_MS = 30_000;

/** The jobs that pack a log: they seal samples and snapshots into chunks, and close days. */
export interface PackingJobs {
  start(): void;
  /** Waits for the running rounds, and releases the leases. */
  stop(): Promise<void>;
}

export function createPackingJobs(options: PackingOptions): PackingJobs {
  const leased = new LeasedRounds(options);
  const job = (name: string, round: (fence: Fence) => Promise<number>, retryMs = RETRY_MS) =>
    createJob({
      name,
      round: whileWritten(options.sql, 'log', leased.under(name, round)),
      minRetryMs: retryMs,
      maxRetryMs: retryMs,
      ...options,
    });
  const jobs = [
    job('seal', createSealing(options).round, SEAL_RETRY_MS),
    job('seal-snapshots', createSnapshotSealing(options)),
    job('close-days', createDayClosing(options)),
  ];
  return {
    start() {
      for (const each of jobs) each.start();
    },
    async stop() {
      await Promise.all(jobs.map((each) => each.stop()));
      await leased.release();
    },
  };
}
