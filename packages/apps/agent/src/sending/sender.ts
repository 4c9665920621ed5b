import { createTidewatchClient } from '@tidewatch/client/client';
import { sendBody } from '@tidewatch/client/ingest';
import { backoffMs } from '@tidewatch/client/retry';
import type { Logger } from '@tidewatch/runtime/logger';
import { createPayloadBuffer } from './buffer.ts';
import { judgeAnswer, judgeFailure, type SendVerdict } from './verdict.ts';

export interface SenderOptions {
  /** The service's address; `/api/v1/ingest` is added. */
  url: string;
  key: string;
  logger: Logger;
  /** Milliseconds since the epoch. */
  clock(): number;
  /** In [0, 1). */
  random(): number;
  /** Bounds of what waits. */
  bounds: { payloads: number; bytes: number };
  /** How long one request may take, milliseconds. */
  timeoutMs: number;
}

export interface Sender {
  /** Takes a body over; it is sent in the background, after those before it. */
  enqueue(body: string): void;
  /** Resolves once nothing waits any more, or after `withinMs`; answers how many bodies still wait. */
  flush(withinMs: number): Promise<number>;
  /** Flushes for at most `withinMs`, then gives up what is left and says how much that was. */
  close(withinMs: number): Promise<void>;
  readonly counts: { accepted: number; dropped: number; refused: number };
}

const BATCH = 100;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Sends payloads in order, as arrays, one request at a time; keeps what could not be sent, within bounds. */
export function createSender(options: SenderOptions): Sender {
  const { logger, url, key, clock, random, timeoutMs } = options;
  // What waits stays in the buffer, so trying again is not the client's to do.
  const client = createTidewatchClient({ url, key, clock, random, timeoutMs, retries: 0 });
  const buffer = createPayloadBuffer(options.bounds);
  const counts = { accepted: 0, dropped: 0, refused: 0 };
  const stopped = new AbortController();
  let batchLimit = BATCH;
  let attempt = 0;
  let inFlight = 0;
  let droppedInFlight = 0;
  let working: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  async function post(bodies: readonly string[]): Promise<SendVerdict> {
    const text = bodies.length === 1 ? (bodies[0] as string) : `[${bodies.join(',')}]`;
    try {
      return judgeAnswer(
        await sendBody(client, text, 'application/json', { lenient: true, signal: stopped.signal }),
      );
    } catch (error) {
      return judgeFailure(error, bodies.length);
    }
  }

  /** Handles one batch; answers how long to wait before the next. */
  async function step(): Promise<number> {
    const bodies = buffer.peek(batchLimit, BATCH_BYTES);
    inFlight = bodies.length;
    droppedInFlight = 0;
    const verdict = await post(bodies);
    const settled = bodies.length - droppedInFlight; // what an overflow dropped meanwhile has left the buffer already
    inFlight = 0;
    if (verdict.kind === 'retry') {
      const delay = verdict.retryAfterMs + backoffMs(attempt, random());
      attempt += 1;
      logger.warn(
        { reason: verdict.reason, waiting: buffer.length, nextTryMs: Math.round(delay) },
        'could not send, will try again',
      );
      return delay;
    }
    if (verdict.kind === 'split') {
      batchLimit = Math.max(1, Math.floor(bodies.length / 2));
      return 0;
    }
    if (attempt > 0 && verdict.kind === 'accepted') logger.info({ payloads: bodies.length }, 'sending again');
    attempt = 0;
    batchLimit = Math.min(BATCH, batchLimit * 2);
    buffer.shift(settled);
    if (verdict.kind === 'refused') {
      counts.refused += bodies.length;
      logger.error(
        { reason: verdict.reason, payloads: bodies.length },
        'the service refuses what was sent; it is not tried again',
      );
      return 0;
    }
    counts.accepted += bodies.length - verdict.rejected;
    counts.refused += verdict.rejected;
    if (verdict.rejected > 0)
      logger.error(
        { payloads: verdict.rejected, faults: verdict.faults },
        'the service refuses some payloads',
      );
    return 0;
  }

  async function work(): Promise<void> {
    while (buffer.length > 0 && !stopped.signal.aborted) {
      const delay = await step();
      if (delay > 0 && !stopped.signal.aborted) await pause(delay);
    }
    working = undefined;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = done;
    });
  }

  async function flush(withinMs: number): Promise<number> {
    const deadline = performance.now() + withinMs;
    wake?.();
    while (working !== undefined && performance.now() < deadline) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadline - performance.now());
      });
      await Promise.race([working, late]);
      clearTimeout(timer);
    }
    return buffer.length;
  }

  return {
    counts,
    enqueue(body) {
      if (stopped.signal.aborted) return;
      const dropped = buffer.push(body);
      if (dropped > 0) {
        counts.dropped += dropped;
        droppedInFlight = Math.min(inFlight, droppedInFlight + dropped);
        logger.warn(
          { dropped, droppedInAll: counts.dropped, waiting: buffer.length },
          'the buffer is full, the oldest payloads were dropped',
        );
      }
      working ??= work();
    },
    flush,
    async close(withinMs) {
      const left = await flush(withinMs);
      stopped.abort();
      wake?.();
      await working;
      if (left > 0) logger.warn({ payloads: left }, 'leaving with payloads that could not be sent');
    },
  };
}
