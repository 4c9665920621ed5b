import { backoffMs } from '@tidewatch/api-client/retry';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { PayloadBuffer } from './buffer.ts';
import type { Gathering } from './gathering.ts';
import type { KeySource } from './key-source.ts';
import { createPost, type PostOptions } from './post-payloads.ts';
import { classifyAnswer, classifyFailure, type SendOutcome } from './send-outcome.ts';

export interface SenderOptions extends PostOptions {
  keys: KeySource;
  logger: Logger;
  /** Returns a random number from 0 up to, but without, 1. */
  random(): number;
  /** Holds the payloads until the service has accepted them. What it has already is sent first. */
  buffer: PayloadBuffer;
  /** Which payloads wait for the next one. */
  gathering: Gathering;
  /** Called once, when the service has accepted a payload for the first time. */
  onFirstAccepted?(): void;
}

export interface Sender {
  /** Appends a payload to the buffer; it is sent in the background, in order, with those that are gathered. */
  enqueue(body: string): void;
  /** Resolves once the buffer is empty, or after `withinMs`, with the number of payloads that still wait. */
  flush(withinMs: number): Promise<number>;
  /** Sends buffered payloads for at most `withinMs`; the remaining ones are dropped unless the buffer is kept. Logs their number. */
  close(withinMs: number): Promise<void>;
  /** The payloads that wait, and their size; none while they are gathered. */
  buffered(): { payloads: number; bytes: number };
  readonly counts: { accepted: number; dropped: number; refused: number };
  /** Resolves once the service has refused the key and the key file has no other key. */
  readonly keyRefused: Promise<void>;
}

/** The interval at which the key file is checked while the service refuses the key, ms. */
const KEY_CHECK_INTERVAL_MS = 2_000;
/** The interval at which the log repeats why nothing can be sent, ms. */
const REMINDER_INTERVAL_MS = 300_000;
const MAX_BATCH_PAYLOADS = 100;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Sends payloads in order, in batches, one request at a time. Buffers payloads that could not be sent. */
export function createSender(options: SenderOptions): Sender {
  const { logger, keys, buffer, gathering } = options;
  const counts = { accepted: 0, dropped: 0, refused: 0 };
  const stopped = new AbortController();
  let batchLimit = MAX_BATCH_PAYLOADS;
  let attempt = 0;
  let inFlight = 0;
  let droppedInFlight = 0;
  let isGathering = false;
  let working: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  const postPayloads = createPost(options);
  /** The key of the newest request. */
  let usedKey: string | undefined;
  let logged: { reason: string; at: number } | undefined;
  const keyRefused = Promise.withResolvers<void>();

  async function post(bodies: readonly string[]): Promise<SendOutcome> {
    const text = bodies.length === 1 ? (bodies[0] as string) : `[${bodies.join(',')}]`;
    try {
      usedKey = keys.current();
      return classifyAnswer(await postPayloads(text, usedKey, stopped.signal));
    } catch (error) {
      return classifyFailure(error, bodies.length);
    }
  }

  /** Sends one batch. Returns the time until the next, ms. */
  async function step(): Promise<number> {
    const unreadable = buffer.unreadable;
    const bodies = buffer.peek(batchLimit, MAX_BATCH_BYTES);
    counts.dropped += buffer.unreadable - unreadable;
    if (bodies.length === 0) return 0;
    inFlight = bodies.length;
    droppedInFlight = 0;
    const outcome = await post(bodies);
    const settled = bodies.length - droppedInFlight; // an overflow has already removed the dropped ones
    inFlight = 0;
    if (outcome.kind === 'retry') return waitAfter(outcome);
    if (outcome.kind === 'split') {
      batchLimit = Math.max(1, Math.floor(bodies.length / 2));
      return 0;
    }
    if (logged !== undefined && outcome.kind === 'accepted') {
      logger.info({ payloads: bodies.length }, 'reconnected; sending buffered payloads');
      logged = undefined;
    }
    attempt = 0;
    batchLimit = Math.min(MAX_BATCH_PAYLOADS, batchLimit * 2);
    buffer.shift(settled);
    if (outcome.kind === 'refused') {
      counts.refused += bodies.length;
      logger.error(
        { reason: outcome.reason, payloads: bodies.length, faults: outcome.faults },
        'dropped a payload that the server refuses as invalid',
      );
      return 0;
    }
    if (counts.accepted === 0 && bodies.length > outcome.rejected) options.onFirstAccepted?.();
    counts.accepted += bodies.length - outcome.rejected;
    counts.refused += outcome.rejected;
    if (outcome.rejected > 0)
      logger.error(
        { payloads: outcome.rejected, faults: outcome.faults },
        'dropped payloads that the server refuses as invalid',
      );
    return 0;
  }

  /** Logs why nothing can be sent, once for each reason. Returns how long to wait, ms; 0 if the key has changed. */
  function waitAfter({ reason, retryAfterMs, refusesKey }: SendOutcome & { kind: 'retry' }): number {
    if (refusesKey && keys.current() !== usedKey) return 0;
    if (refusesKey && keys.reread()) {
      logger.info({ file: keys.file }, 'the key file has a new key; retrying with it');
      return 0;
    }
    const delay = retryAfterMs + backoffMs(attempt, options.random());
    attempt += 1;
    const now = performance.now();
    if (logged?.reason !== reason || now - logged.at >= REMINDER_INTERVAL_MS) {
      logged = { reason, at: now };
      const fields = { reason, waiting: buffer.length, nextTryMs: Math.round(delay) };
      if (!refusesKey) logger.warn(fields, 'could not send payloads; retrying');
      else if (keys.file === null)
        logger.error(
          fields,
          'the server refuses the key: payloads are buffered; restart the agent with a valid key',
        );
      else
        logger.error(
          { ...fields, file: keys.file },
          'the server refuses the key: payloads are buffered until the key file has a valid key; retrying',
        );
    }
    if (refusesKey) keyRefused.resolve();
    return delay;
  }

  async function gather(): Promise<void> {
    isGathering = true;
    await pause(gathering.waitMs);
    isGathering = false;
  }

  async function work(): Promise<void> {
    // The first payload after a start is sent at once, with those of an earlier run.
    if (buffer.length < gathering.payloads && counts.accepted > 0) await gather();
    while (buffer.length > 0 && !stopped.signal.aborted) {
      const delay = await step();
      if (delay > 0 && !stopped.signal.aborted) await pause(delay);
    }
    working = undefined;
  }

  /** Waits for `ms`. Ends early on `wake`, and when the key file has a new key. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const keyCheck = setInterval(() => {
        if (keys.current() !== usedKey) done();
      }, KEY_CHECK_INTERVAL_MS);
      function done(): void {
        clearTimeout(timer);
        clearInterval(keyCheck);
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

  if (buffer.length > 0) working = work();
  return {
    counts,
    keyRefused: keyRefused.promise,
    buffered: () =>
      isGathering ? { payloads: 0, bytes: 0 } : { payloads: buffer.length, bytes: buffer.bytes },
    enqueue(body) {
      if (stopped.signal.aborted) return;
      const dropped = buffer.push(body);
      if (dropped > 0) {
        counts.dropped += dropped;
        droppedInFlight = Math.min(inFlight, droppedInFlight + dropped);
        logger.warn(
          { dropped, droppedInTotal: counts.dropped, waiting: buffer.length },
          'the buffer is full: dropped the oldest payloads',
        );
      }
      working ??= work();
      if (isGathering && buffer.length >= gathering.payloads) wake?.();
    },
    flush,
    async close(withinMs) {
      const left = await flush(withinMs);
      stopped.abort();
      wake?.();
      await working;
      if (left > 0 && buffer.isKept)
        logger.info(
          { payloads: left },
          'stopping: payloads that could not be sent are kept for the next start',
        );
      else if (left > 0) logger.warn({ payloads: left }, 'stopping: dropped payloads that could not be sent');
    },
  };
}
