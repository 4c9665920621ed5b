import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer as KafkaConsumer } from 'kafkajs';
import type { Standing } from './log-position.ts';

const EVERY_MS = 5_000;
/** After so many times all is told again, since Kafka's client may have left out what it was given. */
const AGAIN_AFTER = 12;
const LAST_WITHIN_MS = 1_000;

export interface OffsetHints {
  start(): void;
  /** The group is being rearranged, or was: where others have told since is not known. */
  forget(): void;
  /** Tells a last time where that takes no longer than a second. */
  stop(): Promise<void>;
}

/**
 * Tells Kafka every five seconds how far a group has read, for its tools alone: what counts is kept in the store. Its
 * client would tell after each batch of each partition, a request for every partition and fetch. `standings` answers
 * those of the partitions that are ours now.
 */
export function createOffsetHints(
  reader: Pick<KafkaConsumer, 'commitOffsets'>,
  topic: string,
  standings: () => Iterable<Standing>,
): OffsetHints {
  const told = new Map<number, bigint>();
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | null = null;
  let times = 0;

  async function tellMoved(): Promise<void> {
    const moved: { partition: number; next: bigint }[] = [];
    for (const { partition, next } of standings())
      if (told.get(partition) !== next) moved.push({ partition, next });
    if (moved.length === 0) return;
    await reader.commitOffsets(
      moved.map(({ partition, next }) => ({ topic, partition, offset: String(next) })),
    );
    for (const { partition, next } of moved) told.set(partition, next);
  }

  /** One at a time. A group that is being rearranged takes none; the next time will do. */
  function tell(): Promise<void> {
    telling ??= tellMoved()
      .catch(() => undefined)
      .finally(() => {
        telling = null;
      });
    return telling;
  }

  return {
    start() {
      timer ??= setInterval(() => {
        times += 1;
        if (times % AGAIN_AFTER === 0) told.clear();
        void tell();
      }, EVERY_MS).unref();
    },
    forget: () => told.clear(),
    async stop() {
      clearInterval(timer);
      await Promise.race([tell(), sleep(LAST_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
