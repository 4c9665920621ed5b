import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka, KAFKA_VERSION, kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { KEPT, type OpenPart } from './part.ts';

/** Where suites reach Kafka. */
export interface KafkaAddress {
  brokers: string;
}

/** The brokers of `TIDEWATCH_TEST_KAFKA_BROKERS`, else one of our own on fresh data. */
export async function openKafkaPart(): Promise<OpenPart<KafkaAddress>> {
  const given = process.env.TIDEWATCH_TEST_KAFKA_BROKERS;
  if (given) return { part: { state: 'given', address: { brokers: given }, detail: given }, close: KEPT };
  const obstacle = kafkaObstacle();
  if (obstacle !== null) return { part: { state: 'lacked', detail: obstacle }, close: KEPT };
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-kafka-'));
  const broker = await startKafkaBroker({ distribution: fetchKafka(), home });
  return {
    part: { state: 'started', address: { brokers: broker.brokers }, detail: `Kafka ${KAFKA_VERSION}` },
    close: async () => {
      await broker.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
