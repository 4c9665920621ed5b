import { TOPICS } from '@tidewatch/contracts/events/topic';
import { type OwnKafka, ownKafkaObstacle, startOwnKafka } from '@tidewatch/harness/parts/own-kafka';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
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

/** A broker whose log can lose its end, for all tests of a suite; each test has a topic of its own. */
export class ShortenableLog {
  #kafka: OwnKafka | undefined;
  #harness: KafkaHarness | undefined;

  constructor() {
    beforeAll(async () => {
      this.#kafka = await startOwnKafka();
    }, 180_000);
    afterAll(() => this.#kafka?.close());
    beforeEach(async () => {
      await this.kafka.start();
      this.#harness = await openKafkaHarness({ brokers: [this.kafka.brokers] });
    });
    afterEach(() => this.#harness?.close());
  }

  get kafka(): OwnKafka {
    if (this.#kafka === undefined) throw new Error('the broker is not running');
    return this.#kafka;
  }

  get harness(): KafkaHarness {
    if (this.#harness === undefined) throw new Error('no test is running');
    return this.#harness;
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

  /** Stops the broker, cuts the log after `kept` records, appends copies of its first, and starts it again. Resolves to the partition. */
  async lose(kept: bigint, copies = 0): Promise<number> {
    const topic = `${this.harness.prefix}${TOPICS.samples}`;
    const ends = await this.harness.admin.fetchTopicOffsets(topic);
    const number = ends.find(({ high }) => Number(high) > 1)?.partition ?? -1;
    await this.kafka.stop();
    this.kafka.cut(topic, number, kept);
    this.kafka.appendFirst(topic, number, copies);
    await this.kafka.start();
    return number;
  }
}
