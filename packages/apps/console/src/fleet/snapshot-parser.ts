import { trustedUrl } from '../workers/trusted-url.ts';
import type { FleetPart } from './fleet.ts';
import type { ParseRequest, ParseResponse } from './snapshot-messages.ts';
import workerUrl from './snapshot-worker.ts?worker&url';

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, { resolve: (part: FleetPart) => void; reject: (error: Error) => void }>();

/** Reads the body of a response in a worker, to which the body moves. Rejects if the body cannot be read. */
export function parseInWorker(body: ArrayBuffer, services: ParseRequest['services']): Promise<FleetPart> {
  worker ??= startWorker();
  const id = ++lastId;
  const request: ParseRequest = { id, body, services };
  const target = worker;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    target.postMessage(request, [body]);
  });
}

function startWorker(): Worker {
  const started = new Worker(trustedUrl(workerUrl), { type: 'module', name: 'tidewatch-fleet' });
  started.onmessage = ({ data }: MessageEvent<ParseResponse>) => {
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if ('part' in data) caller?.resolve(data.part);
    else caller?.reject(new Error(`The list of hosts cannot be read: ${data.error}`));
  };
  started.onerror = ({ message }) => {
    const error = new Error(`The list of hosts cannot be read: ${message || 'the worker did not start'}`);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    started.terminate();
    worker = undefined;
  };
  return started;
}
