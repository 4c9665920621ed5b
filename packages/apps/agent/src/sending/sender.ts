import { createTidewatchClient, type TidewatchClient } from '@tidewatch/api-client/client';
import { sendBody } from '@tidewatch/api-client/ingest';
import { backoffMs } from '@tidewatch/api-client/retry';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { createPayloadBuffer } from './buffer.ts';
import type { KeySource } from './key-source.ts';
import { judgeAnswer, judgeFailure, type SendVerdict } from './verdict.ts';

export interface SenderOptions {
  /** The service's address; `/api/v1/ingest` is added. */
  url: string;
  keys: KeySource;
  /** What sends requests, where that goes through a proxy. */
  fetch?: typeof fetch;
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
  /** Resolves once the service has refused the key, and there is no other. */
  readonly keyRefused: Promise<void>;
}

/** How often the key's file is looked at while the service refuses the key, ms. */
const KEY_LOOK_MS = 2_000;
/** The reason why nothing can be sent is repeated in the log after this time, ms. */
const REMIND_MS = 300_000;
const BATCH = 100;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Sends payloads in order, as arrays, one request at a time; keeps what could not be sent, within bounds. */
export function createSender(options: SenderOptions): Sender {
  const { logger, keys, clock } = options;
  const buffer = createPayloadBuffer(options.bounds);
  const counts = { accepted: 0, dropped: 0, refused: 0 };
  const stopped = new AbortController();
  let batchLimit = BATCH;
  let attempt = 0;
  let inFlight = 0;
  let droppedInFlight = 0;
  let working: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  let connected: { key: string; client: TidewatchClient } | undefined;
  let said: { reason: string; at: number } | undefined;
  const keyRefused = Promise.withResolvers<void>();

  function clientOf(key: string): TidewatchClient {
    if (connected?.key !== key) {
      const { url, random, timeoutMs, fetch } = options;
      // What waits stays in the buffer, so trying again is not the client's to do.
      const settings = { url, key, clock, random, timeoutMs, retries: 0, ...(fetch && { fetch }) };
      connected = { key, client: createTidewatchClient(settings) };
    }
    return connected.client;
  }

  async function post(bodies: readonly string[]): Promise<SendVerdict> {
    const text = bodies.length === 1 ? (bodies[0] as string) : `[${bodies.join(',')}]`;
    try {
      const client = clientOf(keys.current());
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
    if (verdict.kind === 'retry') return waitAfter(verdict);
    if (verdict.kind === 'split') {
      batchLimit = Math.max(1, Math.floor(bodies.length / 2));
      return 0;
    }
    if (said !== undefined && verdict.kind === 'accepted') {
      logger.info({ payloads: bodies.length }, 'sending again');
      said = undefined;
    }
    attempt = 0;
    batchLimit = Math.min(BATCH, batchLimit * 2);
    buffer.shift(settled);
    if (verdict.kind === 'refused') {
      counts.refused += bodies.length;
      logger.error(
        { reason: verdict.reason, payloads: bodies.length, faults: verdict.faults },
        'the service refuses a payload: it is dropped, the others are kept',
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

  /** Says why nothing can be sent, once for each reason; answers how long to wait, nothing where there is another key. */
  function waitAfter({ reason, retryAfterMs, refusesKey }: SendVerdict & { kind: 'retry' }): number {
    if (refusesKey && keys.current() !== connected?.key) return 0;
    if (refusesKey && keys.reread()) {
      logger.info({ file: keys.file }, 'the key file contains another key, sending with it');
      return 0;
    }
    const delay = retryAfterMs + backoffMs(attempt, options.random());
    attempt += 1;
    const now = performance.now();
    if (said?.reason !== reason || now - said.at >= REMIND_MS) {
      said = { reason, at: now };
      const fields = { reason, waiting: buffer.length, nextTryMs: Math.round(delay) };
      if (!refusesKey) logger.warn(fields, 'could not send, retrying');
      else if (keys.file === null)
        logger.error(
          fields,
          'the service refuses the key: samples are buffered, start the agent with another key',
        );
      else
        logger.error(
          { ...fields, file: keys.file },
          'the service refuses the key: samples are buffered until its file contains another one',
        );
    }
    if (refusesKey) keyRefused.resolve();
    return delay;
  }

  async function work(): Promise<void> {
    while (buffer.length > 0 && !stopped.signal.aborted) {
      const delay = await step();
      if (delay > 0 && !stopped.signal.aborted) await pause(delay);
    }
    working = undefined;
  }

  /** Ends early where it is woken, or the key's file holds another key. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const look = setInterval(() => {
        if (keys.current() !== connected?.key) done();
      }, KEY_LOOK_MS);
      function done(): void {
        clearTimeout(timer);
        clearInterval(look);
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
    keyRefused: keyRefused.promise,
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
