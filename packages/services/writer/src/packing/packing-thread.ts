import { Worker } from 'node:worker_threads';
import type { Sql, StoreOptions } from '@tidewatch/database/connection';
import { threadHeap } from '@tidewatch/runtime/process/thread-heap';
import { createJob } from '../jobs/job.ts';
import { whileWritten } from '../jobs/while-written.ts';
import type { PackingJobs } from './packing-jobs.ts';
import type { PackingOptions } from './packing-options.ts';
import { type PackingReport, type PackingReports, passReport } from './packing-reports.ts';

/** What the thread begins with. */
export interface PackingOrder extends Pick<PackingOptions, 'holder' | 'sealIntervalMs'> {
  /** The options of its own connections, by default two for transactions and two for statements. */
  store: StoreOptions;
}

/** Message from the thread: its jobs have begun, or a report of them. */
export type PackingMessage = { kind: 'begun' } | PackingReport;

export interface PackingThreadOptions extends PackingReports {
  /** Reads the layout of the database. */
  sql: Sql;
  order: PackingOrder;
}

/** The heap limits of the thread, MiB. Most of what a seal decodes is outside of the heap. */
const HEAP = { young: 6, old: 512 };
/** Three jobs seldom work at the same time. */
const MAX_CONNECTIONS = 2;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * Runs the jobs that pack a log in a worker thread with its own database connections, apart from the event loop of the process. The thread
 * starts once samples are written as a log; if it dies, that is a failure of the job `packing-thread`, and it is started again.
 */
export function createPackingThread({ sql, order, ...reports }: PackingThreadOptions): PackingJobs {
  let thread: Worker | null = null;

  /** Resolves when the thread has ended as it was asked to. */
  function runThread(works: () => void): Promise<number> {
    if (rounds.isStopped()) return Promise.resolve(0);
    const started = new Worker(new URL('./packing-worker.ts', import.meta.url), {
      name: 'packing',
      workerData: { ...order, store: { max: MAX_CONNECTIONS, ...order.store } } satisfies PackingOrder,
      resourceLimits: threadHeap(HEAP),
    });
    thread = started;
    started.on('message', (message: PackingMessage) => {
      if (message.kind === 'begun') works();
      else passReport(message, reports);
    });
    let cause: unknown;
    started.on('error', (error) => {
      cause = error;
    });
    return new Promise((resolve, reject) => {
      started.once('exit', () => {
        thread = null;
        if (rounds.isStopped()) resolve(0);
        else reject(new Error('the thread that packs the log of samples exited', { cause }));
      });
    });
  }

  const rounds = createJob({
    name: 'packing-thread',
    round: whileWritten(sql, 'log', runThread),
    minRetryMs: MIN_RETRY_MS,
    maxRetryMs: MAX_RETRY_MS,
    ...reports,
  });
  return {
    start: rounds.start,
    stop() {
      const stopped = rounds.stop();
      thread?.postMessage('stop');
      return stopped;
    },
  };
}
