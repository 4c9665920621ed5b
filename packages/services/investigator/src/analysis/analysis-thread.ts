import { Worker } from 'node:worker_threads';
import type { StoreOptions } from '@tidewatch/database/connection';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict/verdict';
import { threadHeap } from '@tidewatch/runtime/process/thread-heap';
import type { AnalysisJob, AnalysisListener, Analyst } from './analyst.ts';

/** Message to the thread: starts a job, or aborts the job with this id. */
export type AnalysisRequest = { id: number; job: AnalysisJob } | { id: number; job: null };

/** Message from the thread about a job. */
export type AnalysisMessage =
  | { id: number; kind: 'found'; detector: string; drafts: readonly FindingDraft[] }
  | { id: number; kind: 'failed'; detector: string; error: string }
  | { id: number; kind: 'stage'; stage: 'gather' | 'detect'; seconds: number }
  | { id: number; kind: 'done'; verdict: Verdict | null }
  | { id: number; kind: 'error'; message: string };

/**
 * The heap limits of the thread, MiB. Most objects of a run are short-lived, so a larger young generation would only occupy
 * memory.
 */
const HEAP = { young: 24, old: 1_024 };
/** How long the thread may be idle, ms: then it is terminated, since it keeps the memory of its largest job. */
const IDLE_TIMEOUT_MS = 600_000;
/** How long after its abort a job may continue, ms: then the thread is terminated, since a detector is still computing. */
const ABORT_TIMEOUT_MS = 5_000;

interface OpenJob {
  listener: AnalysisListener;
  resolve(verdict: Verdict | null): void;
  reject(error: unknown): void;
}

/** Runs analyses in a worker thread with its own database connections, apart from the event loop of the process. */
export function createAnalysisThread(store: StoreOptions): Analyst {
  const jobs = new Map<number, OpenJob>();
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 1;

  function startedThread(): Worker {
    clearTimeout(idle);
    if (thread !== null) return thread;
    const started = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
      workerData: store,
      resourceLimits: threadHeap(HEAP),
    });
    started.unref();
    started.on('message', receive);
    let cause: unknown;
    started.on('error', (error) => {
      cause = error;
    });
    started.once('exit', () => {
      if (thread !== started) return;
      thread = null;
      const lost = [...jobs.values()];
      jobs.clear();
      for (const job of lost)
        job.reject(new Error('the analysis thread exited during the analysis', { cause }));
    });
    thread = started;
    return started;
  }

  function receive(message: AnalysisMessage): void {
    const job = jobs.get(message.id);
    if (job === undefined) return;
    if (message.kind === 'found') job.listener.found(message.detector, message.drafts);
    else if (message.kind === 'failed')
      job.listener.detectorFailed(message.detector, new Error(message.error));
    else if (message.kind === 'stage') job.listener.stage(message.stage, message.seconds);
    else {
      jobs.delete(message.id);
      if (message.kind === 'done') job.resolve(message.verdict);
      else job.reject(new Error(message.message));
      scheduleTermination();
    }
  }

  function scheduleTermination(): void {
    if (jobs.size === 0) idle = setTimeout(() => void terminate(), IDLE_TIMEOUT_MS).unref();
  }

  async function terminate(): Promise<void> {
    const former = thread;
    thread = null;
    await former?.terminate();
  }

  return {
    async analyse(job, listener, signal) {
      signal.throwIfAborted();
      const id = nextId++;
      const worker = startedThread();
      let overdue: NodeJS.Timeout | undefined;
      const abort = () => {
        worker.postMessage({ id, job: null } satisfies AnalysisRequest);
        overdue = setTimeout(() => void worker.terminate(), ABORT_TIMEOUT_MS).unref();
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await new Promise<Verdict | null>((resolve, reject) => {
          jobs.set(id, { listener, resolve, reject });
          worker.postMessage({ id, job } satisfies AnalysisRequest);
        });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(overdue);
        signal.removeEventListener('abort', abort);
      }
    },
    async close() {
      clearTimeout(idle);
      await terminate();
      for (const job of jobs.values()) job.reject(new Error('the analysis thread is closed'));
      jobs.clear();
    },
  };
}
