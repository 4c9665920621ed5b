import { backoffMs } from '@tidewatch/contracts/time/backoff';
import type { Consumer } from 'kafkajs';

const BACKOFF = { minMs: 1_000, maxMs: 5_000 };

/**
 * Starts Kafka's client again after it gave up, for example since a login or a request was refused, until it is connected or closing.
 * If it gives up again, its event calls this again.
 */
export async function startAgain(options: {
  reader: Consumer;
  run(): Promise<void>;
  sleep(ms: number): Promise<void>;
  isClosing(): boolean;
  onFailure(error: unknown): void;
}): Promise<void> {
  const { reader, run, sleep, isClosing, onFailure } = options;
  for (let failures = 0; !isClosing(); failures += 1) {
    await sleep(backoffMs(failures, BACKOFF, 1));
    try {
      await reader.connect();
      return isClosing() ? await reader.disconnect() : await run();
    } catch (error) {
      onFailure(error);
    }
  }
}
