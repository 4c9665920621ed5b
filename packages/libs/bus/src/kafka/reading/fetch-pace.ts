import type { ConsumerConfig } from 'kafkajs';

/**
 * The time that the broker collects records for a fetch before it has enough for one transaction, ms. A longer time
 * delays samples; a shorter one costs more fetches.
 */
const FETCH_WAIT_MS = 200;
/** The wait of a prompt fetch, which returns at the first byte; short enough for heartbeats between fetches. */
const PROMPT_FETCH_WAIT_MS = 1_000;
/**
 * The size of one group of records. Decoded records stay in memory until their transaction has committed, and more of them
 * would make garbage collection slower while a consumer lags.
 */
export const GROUP_BYTES = 512 * 1024;
/**
 * After a fetch of at least this size that leaves no lag, the reader pauses before the next one, since frequent fetches are
 * expensive.
 */
const BUSY_BYTES = 128 * 1024;
const BUSY_PAUSE_MS = 200;

/** Limits the size of each fetch and decides when the next one is sent. */
export interface FetchPace {
  settings: Pick<ConsumerConfig, 'maxWaitTimeInMs' | 'minBytes' | 'maxBytes' | 'maxBytesPerPartition'>;
  /** Must be called when a fetch is sent. */
  sent(): void;
  /** Must be called when a fetch returns; `bytes` is the size of its records. */
  received(bytes: number): void;
  /** Pauses after a large fetch that left no lag; `lag` is the number of records that are still to be read. */
  pauseAfterFetch(lag: number): Promise<void>;
}

/** `prompt` is for consumers that need each record at once. */
export function createFetchPace(prompt: boolean, sleep: (ms: number) => Promise<void>): FetchPace {
  let bytes = 0;
  return {
    settings: {
      maxWaitTimeInMs: prompt ? PROMPT_FETCH_WAIT_MS : FETCH_WAIT_MS,
      minBytes: prompt ? 1 : GROUP_BYTES,
      maxBytesPerPartition: GROUP_BYTES,
      maxBytes: GROUP_BYTES,
    },
    sent() {
      bytes = 0;
    },
    received(more) {
      bytes += more;
    },
    async pauseAfterFetch(lag) {
      if (!prompt && lag === 0 && bytes >= BUSY_BYTES) await sleep(BUSY_PAUSE_MS);
    },
  };
}
