import { Worker } from 'node:worker_threads';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import type { Verdict } from '@tidewatch/domain/investigation/verdict';
import { threadHeap } from '@tidewatch/runtime/process/thread-heap';
import type { StoreOptions } from '@tidewatch/store/database/connection';
import type { AnalysisJob, AnalysisListener, Analyst } from './analyst.ts';

/** To the thread: a job to begin, or the id of one to end. */
export type AnalysisOrder = { id: number; job: AnalysisJob } | { id: number; job: null };

export type AnalysisNews =
  | { id: number; kind: 'found'; detector: string; drafts: readonly FindingDraft[] }
  | { id: number; kind: 'failed'; detector: string; error: string }
  | { id: number; kind: 'stage'; stage: 'gather' | 'detect'; seconds: number }
  | { id: number; kind: 'done'; verdict: Verdict | null }
  | { id: number; kind: 'error'; message: string };

/** A run keeps little of what it makes: a wide young generation only stays in memory. */
const HEAP = { young: 24, old: 1_024 };
/** A thread without work keeps the memory of its largest job, so it ends after a while; alerts come in flocks. */
const IDLE_MS = 600_000;
/** A job that was ended and does not end, since a detector computes, takes its thread with it. */
const END_WITHIN_MS = 5_000;

interface OpenJob {
  listener: AnalysisListener;
  resolve(verdict: Verdict | null): void;
  reject(error: unknown): void;
}

/** Analyses beside the event loop, which may be that of ingest, with connections of its own by `store`. */
export function createAnalysisThread(store: StoreOptions): Analyst {
  const jobs = new Map<number, OpenJob>();
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 1;

  function running(): Worker {
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
      for (const job of lost) job.reject(new Error('the thread of the analysis ended', { cause }));
    });
    thread = started;
    return started;
  }

  function receive(news: AnalysisNews): void {
    const job = jobs.get(news.id);
    if (job === undefined) return;
    if (news.kind === 'found') job.listener.found(news.detector, news.drafts);
    else if (news.kind === 'failed') job.listener.detectorFailed(news.detector, new Error(news.error));
    else if (news.kind === 'stage') job.listener.stage(news.stage, news.seconds);
    else {
      jobs.delete(news.id);
      if (news.kind === 'done') job.resolve(news.verdict);
      else job.reject(new Error(news.message));
      rest();
    }
  }

  function rest(): void {
    if (jobs.size === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
  }

  async function end(): Promise<void> {
    const former = thread;
    thread = null;
    await former?.terminate();
  }

  return {
    async analyse(job, listener, signal) {
      signal.throwIfAborted();
      const id = nextId++;
      const worker = running();
      let overdue: NodeJS.Timeout | undefined;
      const abort = () => {
        worker.postMessage({ id, job: null } satisfies AnalysisOrder);
        overdue = setTimeout(() => void worker.terminate(), END_WITHIN_MS).unref();
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await new Promise<Verdict | null>((resolve, reject) => {
          jobs.set(id, { listener, resolve, reject });
          worker.postMessage({ id, job } satisfies AnalysisOrder);
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
      await end();
      for (const job of jobs.values()) job.reject(new Error('the thread of the analysis is closed'));
      jobs.clear();
    },
  };
}
