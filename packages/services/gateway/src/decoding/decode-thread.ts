import { Worker } from 'node:worker_threads';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { threadHeap } from '@tidewatch/runtime/process/thread-heap';
import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { FairShareError } from '@tidewatch/runtime/sharing/fair-share-error';
import type { DecodeAnswer, DecodeJob } from './decode-worker.ts';
import type { DecodedBody } from './decoded-body.ts';

/** What a decoding thread must know to decode a body. */
export type DecodeOptions = Pick<DecodeJob, 'decoder' | 'receivedAt' | 'lenient'>;

/** Decodes large bodies in a thread, one at a time, organizations in turn. */
export interface DecodeThread {
  /**
   * Decodes a body; its bytes must not be used afterwards. A refused body has no payloads. Aborting `gone` removes a
   * waiting body. Rejects with a 503 after waiting too long, or if decoding takes too long, and with a 413 if the values need
   * more memory than the thread has.
   */
  decode(
    bytes: Buffer,
    options: DecodeOptions,
    organizationId: string,
    gone: AbortSignal,
  ): Promise<DecodedBody>;
  close(): Promise<void>;
}

/** The largest body takes a few seconds, so this long only on a machine that is very busy. Others wait for the thread meanwhile. */
const JOB_TIMEOUT_MS = 30_000;
/** The thread decodes one body at a time. */
const TURNS = { capacity: 1, maxPerOrganization: 1, maxWaitingPerOrganization: 1_000, maxWaitMs: MINUTE_MS };
const HEAP = { young: 48, old: 1_024 };
/** How long a thread may be idle, ms: then it ends, since it keeps the memory of its largest body. */
const IDLE_MS = 15_000;

function tooComplex(cause: unknown): ProblemError {
  return new ProblemError('payload_too_large', { detail: 'The body holds too many values.', cause });
}

function busy(cause: FairShareError): ProblemError {
  const detail = 'Too many large bodies wait to be decoded.';
  return new ProblemError('ingest_unavailable', { detail, headers: { 'Retry-After': '1' }, cause });
}

/** The same body may be decoded in time later, so that it must not be refused for good. */
function tooSlow(timeoutMs: number): ProblemError {
  const detail = `The body was not decoded within ${timeoutMs / 1_000} seconds, since the machine is busy.`;
  return new ProblemError('ingest_unavailable', { detail, headers: { 'Retry-After': '10' } });
}

/** Bytes with an ArrayBuffer of their own are transferred to the thread; a view into a shared one is copied first. */
function ownBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  return whole && bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

export function createDecodeThread(timeoutMs: number = JOB_TIMEOUT_MS): DecodeThread {
  let worker: Worker | null = null;
  const turns = new FairShare(TURNS);
  const jobs = new Set<Promise<unknown>>();
  let nextId = 1;
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function running(): Worker {
    clearTimeout(idle);
    if (worker === null) {
      const started = new Worker(new URL('./decode-worker.ts', import.meta.url), {
        resourceLimits: threadHeap(HEAP),
      });
      started.unref();
      started.on('error', () => undefined);
      started.once('exit', () => {
        if (worker === started) worker = null;
      });
      worker = started;
    }
    return worker;
  }

  function perform(job: DecodeJob): Promise<DecodedBody> {
    const thread = running();
    return new Promise((resolve, reject) => {
      let summary: DecodedBody | null = null;
      const payloads: Payload[] = [];
      const settle = (act: () => void) => {
        clearTimeout(timer);
        thread.off('message', receive);
        thread.off('error', fail);
        thread.off('exit', fail);
        act();
      };
      const fail = (cause: unknown) => settle(() => reject(tooComplex(cause)));
      const receive = (answer: DecodeAnswer) => {
        if (answer.kind === 'decoded') {
          summary = answer.decoded;
          const refused = summary.refused || (summary.faultCount > 0 && !job.lenient);
          if (refused) settle(() => resolve(answer.decoded));
          else thread.postMessage(job.id);
          return;
        }
        for (const payload of answer.payloads) payloads.push(payload);
        if (answer.last) settle(() => resolve({ ...(summary as DecodedBody), payloads }));
        else setImmediate(() => thread.postMessage(job.id));
      };
      const timer = setTimeout(() => {
        settle(() => reject(tooSlow(timeoutMs)));
        if (worker === thread) worker = null;
        void thread.terminate();
      }, timeoutMs);
      thread.on('message', receive);
      thread.once('error', fail);
      thread.once('exit', fail);
      thread.postMessage(job, [job.bytes.buffer as ArrayBuffer]);
    });
  }

  async function inTurn<R>(organizationId: string, gone: AbortSignal, work: () => Promise<R>): Promise<R> {
    const turn = await turns.take(organizationId, 1, gone).catch((error: unknown) => {
      throw error instanceof FairShareError ? busy(error) : error;
    });
    try {
      if (closed) throw new ProblemError('shutting_down');
      return await work();
    } finally {
      turn.release();
    }
  }

  /** Called when a job has ended: ends the thread if it stays idle. */
  function rest(): void {
    waiting -= 1;
    if (waiting > 0) return;
    idle = setTimeout(() => {
      const former = worker;
      worker = null;
      void former?.terminate();
    }, IDLE_MS).unref();
  }

  return {
    decode(bytes, options, organizationId, gone) {
      waiting += 1;
      const result = inTurn(organizationId, gone, () =>
        perform({ id: nextId++, bytes: ownBytes(bytes), ...options }),
      );
      const job = result.catch(() => undefined).finally(rest);
      jobs.add(job);
      void job.finally(() => jobs.delete(job));
      return result;
    },
    async close() {
      closed = true;
      await Promise.all(jobs);
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}
