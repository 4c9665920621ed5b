import { TOPICS } from '@tidewatch/contracts/events/topic';
import { type OwnKafka, ownKafkaObstacle, startOwnKafka } from '@tidewatch/harness/parts/own-kafka';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { type Consumer, DONE } from '../bus.ts';
import { createJsonFormat } from '../kafka/format/json-format.ts';
import { type HarnessTx, type KafkaHarness, type OpenedBus, openKafkaHarness } from './kafka.harness.ts';

export const WITHIN = { timeout: 60_000, interval: 100 };
export const KEY = 'one host';
/** What consumers had stored before the log lost its end. */
export const OLD = ['a', 'b', 'c', 'd', 'e', 'f'];
const topics = new Map([
  [TOPICS.samples, { format: createJsonFormat<unknown>(), deadLetters: TOPICS.samplesDeadLetter }],
]);

/** Whether this machine can have a broker of its own. */
export const canShortenLogs = inject('kafka').state !== 'lacked' && ownKafkaObstacle() === null;

/** A consumer that stores the values of its records. */
export function storing(name: string): Consumer<unknown, HarnessTx> {
  return {
    name,
    async handle(batch, tx) {
      for (const { value } of batch) tx.put(`${name} ${value}`);
      return batch.map(() => DONE);
    },
  };
}

/** What a log loses: the records after `kept`, which copies of its first record replace. */
export interface Loss {
  kept: bigint;
  copies?: number;
}

/** A log with topics and a database of its own, on a broker that logs share. */
export class ShortenableLog {
  readonly harness: KafkaHarness;
  readonly #lose: (log: ShortenableLog, loss: Loss) => Promise<number>;

  constructor(harness: KafkaHarness, lose: (log: ShortenableLog, loss: Loss) => Promise<number>) {
    this.harness = harness;
    this.#lose = lose;
  }

  get topic(): string {
    return `${this.harness.prefix}${TOPICS.samples}`;
  }

  /** Starts a bus with these consumers. */
  async open(...consumers: readonly (string | Consumer<unknown, HarnessTx>)[]): Promise<OpenedBus> {
    const opened = this.harness.openBus(topics);
    for (const consumer of consumers)
      opened.bus.subscribe(TOPICS.samples, typeof consumer === 'string' ? storing(consumer) : consumer);
    await opened.bus.start();
    return opened;
  }

  /** Publishes each value as one record, all to the same partition. */
  async publish({ bus }: OpenedBus, ...values: string[]): Promise<void> {
    for (const value of values) {
      const send = () => bus.publish(TOPICS.samples, [{ key: KEY, value }]).then(() => true);
      await expect.poll(() => send().catch(() => false), WITHIN).toBe(true);
    }
  }

  /** The values that a consumer stored, in order. */
  applied(name: string): string[] {
    return this.harness.committed
      .map(String)
      .flatMap((text) => (text.startsWith(`${name} `) ? [text.slice(name.length + 1)] : []));
  }

  /** Resolves to the partition that has records. */
  async partition(): Promise<number> {
    const ends = await this.harness.admin.fetchTopicOffsets(this.topic);
    return ends.find(({ high }) => Number(high) > 1)?.partition ?? -1;
  }

  /** Stops the broker, cuts the log as `loss` says, and starts it again. Resolves to the partition. */
  lose(kept: bigint, copies = 0): Promise<number> {
    return this.#lose(this, { kept, copies });
  }
}

/** A broker whose logs can lose their ends, for all tests of a suite; each test has logs of its own. */
export class ShortenableLogs {
  #kafka: OwnKafka | undefined;
  #opened: KafkaHarness[] = [];

  constructor() {
    beforeAll(async () => {
      this.#kafka = await startOwnKafka();
    }, 180_000);
    afterAll(() => this.#kafka?.close());
    afterEach(async () => {
      for (const harness of this.#opened.splice(0)) await harness.close();
    });
  }

  /** A new log, while the broker runs. */
  async open(): Promise<ShortenableLog> {
    await this.#broker.start();
    const harness = await openKafkaHarness({ brokers: [this.#broker.brokers] });
    this.#opened.push(harness);
    return new ShortenableLog(harness, async (log, loss) => {
      const [partition = -1] = await this.lose([{ ...loss, log }]);
      return partition;
    });
  }

  /**
   * Stops the broker once, so that a restart is paid once for several cases, cuts each log, and starts the broker again.
   * Resolves to the partition of each.
   */
  async lose(losses: readonly (Loss & { log: ShortenableLog })[]): Promise<number[]> {
    const partitions = await Promise.all(losses.map(({ log }) => log.partition()));
    const broker = this.#broker;
    await broker.stop();
    for (const [index, { log, kept, copies = 0 }] of losses.entries()) {
      broker.cut(log.topic, partitions[index] as number, kept);
      broker.appendFirst(log.topic, partitions[index] as number, copies);
    }
    await broker.start();
    return partitions;
  }

  get #broker(): OwnKafka {
    if (this.#kafka === undefined) throw new Error('the broker is not running');
    return this.#kafka;
  }
}
