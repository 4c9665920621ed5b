import { backoffMs } from '@tidewatch/contracts/time/backoff';
import { attempt, type DeadLetter, type Transact } from './attempt.ts';
import { BusUnavailableError, type Consumer, type Delivery } from './bus.ts';

export interface FanOutOptions<Tx> {
  transact: Transact<Tx>;
  consumer: Consumer<unknown, Tx>;
  sleep(ms: number): Promise<void>;
  onDeadLetter(letter: DeadLetter): void;
  /** The max number of deliveries that may wait, and the max number that share one transaction. */
  limits: { queuedDeliveries: number; groupDeliveries: number };
}

/** The queue of one consumer of one topic. */
export interface FanOut {
  hasRoom(count: number): boolean;
  accept(deliveries: readonly Delivery<unknown>[]): void;
  /** Returns why the consumer makes no progress, or null while it works. */
  failure(): string | null;
  close(): Promise<void>;
}

const BACKOFF = { minMs: 50, maxMs: 5_000 };
const ATTEMPTS_BEFORE_DEAD_LETTER = 8;

/**
 * Creates a consumer's queue: it delivers in order and at least once, without delaying the publisher; a poison message
 * alone becomes a dead letter.
 */
export function createFanOut<Tx>(options: FanOutOptions<Tx>): FanOut {
  const { transact, consumer, sleep, limits } = options;
  let queue: Delivery<unknown>[] = [];
  let running: Promise<void> | null = null;
  let failure: string | null = null;
  let closed = false;

  async function deliver(batch: readonly Delivery<unknown>[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const result = await attempt(transact, [consumer], batch);
      if (result.ok) {
        failure = null;
        result.deadLetters.forEach(options.onDeadLetter);
        if (result.rests.size === 0) return;
        return deliver([...result.rests].map(([delivery, value]) => ({ ...delivery, value })));
      }
      failure = result.error instanceof Error ? result.error.message : String(result.error);
      if (closed) return;
      if (!result.outage && batch.length > 1 && tries >= 2) {
        const middle = Math.ceil(batch.length / 2);
        await deliver(batch.slice(0, middle));
        return deliver(batch.slice(middle));
      }
      const [delivery] = batch;
      if (!result.outage && tries >= ATTEMPTS_BEFORE_DEAD_LETTER && delivery !== undefined) {
        options.onDeadLetter({ delivery, consumer: consumer.name, reason: failure });
        return;
      }
      await sleep(backoffMs(tries - 1, BACKOFF, 1));
    }
  }

  async function drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0 && !(closed && failure !== null)) {
      const batch = queue.slice(0, limits.groupDeliveries);
      queue = queue.slice(batch.length);
      await deliver(batch);
    }
  }

  return {
    hasRoom: (count) => queue.length === 0 || queue.length + count <= limits.queuedDeliveries,
    accept(deliveries) {
      if (closed) throw new BusUnavailableError('it is closing', 2);
      queue.push(...deliveries);
      running ??= drain().finally(() => {
        running = null;
      });
    },
    failure: () => failure,
    async close() {
      closed = true;
      await running;
    },
  };
}
