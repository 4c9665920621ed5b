import { TOPICS } from '@tidewatch/contracts/events/topic';
import { type OwnKafka, ownKafkaObstacle, startOwnKafka } from '@tidewatch/harness/parts/own-kafka';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DONE } from '../bus.ts';
import { openKafkaHarness } from '../testing/kafka.harness.ts';
import { createJsonFormat } from './format/json-format.ts';

const WITHIN = { timeout: 90_000, interval: 100 };
const LOGIN = { username: 'tidewatch', password: 'made-for-this-test-alone' };
const OTHER = { ...LOGIN, password: 'another-made-for-this-test' };
const topics = new Map([
  [TOPICS.samples, { format: createJsonFormat<unknown>(), deadLetters: TOPICS.samplesDeadLetter }],
]);
const possible = inject('kafka').state !== 'lacked' && ownKafkaObstacle() === null;

describe.skipIf(!possible)('[needs Kafka] a consumer whose login the broker refuses', () => {
  let kafka: OwnKafka;
  beforeAll(async () => {
    kafka = await startOwnKafka(LOGIN);
  }, 180_000);
  afterAll(() => kafka?.close());

  async function restart(login: typeof LOGIN): Promise<void> {
    await kafka.stop();
    await kafka.start(login);
  }

  it('says so and goes on once the login is accepted', { timeout: 240_000 }, async () => {
    const sasl = { mechanism: 'plain' as const, ...LOGIN };
    const harness = await openKafkaHarness({ brokers: [kafka.brokers], sasl });
    try {
      const { bus, stops } = harness.openBus(topics);
      bus.subscribe(TOPICS.samples, {
        name: 'writer',
        async handle(batch, tx) {
          for (const { value } of batch) tx.put(value);
          return batch.map(() => DONE);
        },
      });
      await bus.start();
      const publish = (value: string) =>
        bus.publish(TOPICS.samples, [{ key: 'one host', value }]).then(
          () => true,
          () => false,
        );
      await expect.poll(() => publish('before'), WITHIN).toBe(true);
      await expect.poll(() => harness.committed, WITHIN).toEqual(['before']);
      await restart(OTHER);
      await expect
        .poll(() => bus.health().reasons, WITHIN)
        .toContainEqual(expect.stringMatching(/refuses the login/));
      await restart(LOGIN);
      await expect.poll(() => publish('after'), WITHIN).toBe(true);
      await expect.poll(() => harness.committed, WITHIN).toEqual(['before', 'after']);
      await expect.poll(() => bus.health(), WITHIN).toEqual({ ok: true, reasons: [] });
      expect(stops).toEqual([]);
    } finally {
      await harness.close();
    }
  });
});
