import { trustedUrl } from '../workers/trusted-url.ts';
import workerUrl from './stream-worker.ts?sharedworker&url';

/** Starts the worker that reads the stream, once for all tabs of this browser. */
export function startStreamWorker(): SharedWorker {
  return new SharedWorker(trustedUrl(workerUrl), { type: 'module', name: 'tidewatch-stream' });
}
