import type { Admin } from 'kafkajs';
import type { DeadLetter, Transact } from '../../attempt.ts';
import type { Consumer } from '../../bus.ts';
import type { KafkaClient } from '../connection.ts';
import type { TopicFormat } from '../format/topic-format.ts';
import type { OffsetStore } from '../position/offset-store.ts';

export interface TopicReaderOptions<Tx> {
  kafka: KafkaClient;
  admin: Pick<Admin, 'fetchTopicOffsets'>;
  topic: string;
  /** The topic's number of partitions. */
  partitions: number;
  groupId: string;
  format: TopicFormat<unknown>;
  consumer: Consumer<unknown, Tx>;
  offsets: OffsetStore<Tx>;
  identify(): Promise<unknown>;
  transact: Transact<Tx>;
  bury(letters: readonly DeadLetter[]): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Receives the lag: the number of records in this reader's partitions that it has not applied. */
  onLag(records: number): void;
  /** Called when a batch could not be stored; the reader retries it. */
  onFailure(error: unknown): void;
  /** Called when the log lacks applied records; the reader continues at `to`, where the log ends or begins to differ. */
  onRewind(rewind: { partition: number; from: bigint; to: bigint }): void;
  /** Called when the reader has stopped and does not retry, for example since the topic was recreated. */
  onStop(reason: string): void;
}

export interface TopicReader {
  start(): Promise<void>;
  /** Returns why the reader makes no progress, in words that `/readyz` may show, or null while it works. */
  failure(): string | null;
  /** Resolves once this reader has applied its partitions up to these offsets, or after `withinMs`. */
  reach(offsets: ReadonlyMap<number, bigint>, withinMs: number): Promise<void>;
  stop(): Promise<void>;
}
