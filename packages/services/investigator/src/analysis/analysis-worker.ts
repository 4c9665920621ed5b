import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore, type StoreOptions } from '@tidewatch/database/connection';
import { DETECTORS } from '@tidewatch/domain/investigation/investigate';
import { conclude } from '@tidewatch/domain/investigation/verdict/conclude';
import { giveWay } from '@tidewatch/runtime/process/give-way';
import { analyse } from './analyse.ts';
import type { AnalysisMessage, AnalysisRequest } from './analysis-thread.ts';
import type { AnalysisJob } from './analyst.ts';

giveWay();
// Writes the compile cache now: it would be lost if the process ended before the thread.
flushCompileCache();
const { sql } = openStore(workerData as StoreOptions);
const parts = { sql, detectors: DETECTORS, conclude };
const aborts = new Map<number, AbortController>();

const post = (message: AnalysisMessage) => parentPort?.postMessage(message);
const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function begin(id: number, job: AnalysisJob): Promise<void> {
  const abort = new AbortController();
  aborts.set(id, abort);
  const listener = {
    found: (detector: string, drafts: Extract<AnalysisMessage, { kind: 'found' }>['drafts']) =>
      post({ id, kind: 'found', detector, drafts }),
    detectorFailed: (detector: string, error: unknown) =>
      post({ id, kind: 'failed', detector, error: textOf(error) }),
    stage: (stage: 'gather' | 'detect', seconds: number) => post({ id, kind: 'stage', stage, seconds }),
  };
  try {
    const verdict = await analyse(job, listener, abort.signal, parts);
    post({ id, kind: 'done', verdict });
  } catch (error) {
    post({ id, kind: 'error', message: textOf(error) });
  } finally {
    aborts.delete(id);
  }
}

parentPort?.on('message', ({ id, job }: AnalysisRequest) => {
  if (job === null) aborts.get(id)?.abort(new Error('the analysis was aborted'));
  else void begin(id, job);
});
