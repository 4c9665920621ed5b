import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer as KafkaConsumer } from 'kafkajs';
import type { Standing } from './log-position.ts';

const EVERY_MS = 5_000;
/** Every 12th round commits all offsets again, since Kafka's client may have skipped some. */
const AGAIN_AFTER = 12;
const LAST_WITHIN_MS = 1_000;

export interface OffsetHints {
  start(): void;
  /**
   * Forgets which offsets were committed. Must be called at a rebalance, since another member may have committed others.
   */
  forget(): void;
  /** Commits a last time, and waits for at most a second. */
  stop(): Promise<void>;
}

/**
 * Commits a consumer's offsets to Kafka every five seconds, so that Kafka's tools can show them; consumers themselves
 * continue from the position in the store. `standings` returns the positions of the partitions that this process owns.
 */
export function createOffsetHints(
  reader: Pick<KafkaConsumer, 'commitOffsets'>,
  topic: string,
  standings: () => Iterable<Standing>,
): OffsetHints {
  const committed = new Map<number, bigint>();
  let timer: NodeJS.Timeout | undefined;
  let committing: Promise<void> | null = null;
  let times = 0;

  async function commitMoved(): Promise<void> {
    const moved: { partition: number; next: bigint }[] = [];
    for (const { partition, next } of standings())
      if (committed.get(partition) !== next) moved.push({ partition, next });
    if (moved.length === 0) return;
    await reader.commitOffsets(
      moved.map(({ partition, next }) => ({ topic, partition, offset: String(next) })),
    );
    for (const { partition, next } of moved) committed.set(partition, next);
  }

  /**
   * Commits offsets that moved, one commit at a time. Kafka refuses a commit during a rebalance; the next round repeats
   * it.
   */
  function commit(): Promise<void> {
    committing ??= commitMoved()
      .catch(() => undefined)
      .finally(() => {
        committing = null;
      });
    return committing;
  }

  return {
    start() {
      timer ??= setInterval(() => {
        times += 1;
        if (times % AGAIN_AFTER === 0) committed.clear();
        void commit();
      }, EVERY_MS).unref();
    },
    forget: () => committed.clear(),
    async stop() {
      clearInterval(timer);
      await Promise.race([commit(), sleep(LAST_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
