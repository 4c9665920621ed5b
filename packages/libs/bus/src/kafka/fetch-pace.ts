import type { ConsumerConfig } from 'kafkajs';

/** The broker answers a fetch when it has as much as one transaction holds, or after so long: each of both has its price. */
const FETCH_WAIT_MS = 200;
/** Where one byte is answered at once, waiting costs no time; but between two fetches the group is told that we live. */
const PROMPT_FETCH_WAIT_MS = 1_000;
/**
 * What is decoded lives until its transaction has committed. The more of it at once, the more of it collections copy and mark,
 * so that a sample costs more the further a consumer is behind.
 */
export const GROUP_BYTES = 512 * 1024;
/**
 * Where a fetch brought so much, and all that there was, fetches come often enough to be dear: the next one is asked for a little
 * later. What is behind, and where little comes, never waits for that.
 */
const BUSY_BYTES = 128 * 1024;
const BUSY_REST_MS = 200;

/** How much a fetch may bring, and when the next is asked for. */
export interface FetchPace {
  settings: Pick<ConsumerConfig, 'maxWaitTimeInMs' | 'minBytes' | 'maxBytes' | 'maxBytesPerPartition'>;
  /** A fetch is asked for. */
  asked(): void;
  /** Records of so many bytes came by it. */
  brought(bytes: number): void;
  /** Waits where what was brought is much, and all that there was; `lag` is how many records are still there. */
  rest(lag: number): Promise<void>;
}

/** `prompt` is for consumers that are to have each record at once. */
export function createFetchPace(prompt: boolean, sleep: (ms: number) => Promise<void>): FetchPace {
  let bytes = 0;
  return {
    settings: {
      maxWaitTimeInMs: prompt ? PROMPT_FETCH_WAIT_MS : FETCH_WAIT_MS,
      minBytes: prompt ? 1 : GROUP_BYTES,
      maxBytesPerPartition: GROUP_BYTES,
      maxBytes: GROUP_BYTES,
    },
    asked() {
      bytes = 0;
    },
    brought(more) {
      bytes += more;
    },
    async rest(lag) {
      if (!prompt && lag === 0 && bytes >= BUSY_BYTES) await sleep(BUSY_REST_MS);
    },
  };
}
