import type { TestProject } from 'vitest/node';
import { type KafkaAddress, kafkaSource } from './parts/kafka.ts';
import { type OpenPart, openPart, type Part } from './parts/part.ts';
import { findRedisPart, type RedisPart } from './parts/redis.ts';
import { recordPart } from './parts/report.ts';
import { openTimescalePart, recordTimescale, type TimescaleAddress } from './parts/timescale.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: Part<KafkaAddress>;
    /** The address of Kafka for each worker, since workers run suites concurrently. */
    kafkaOfWorkers: KafkaAddress[];
    redis: RedisPart;
    timescale: Part<TimescaleAddress>;
  }
}

/**
 * Vitest's global setup of the distributed suites: a Kafka broker for each worker (groups that form on the same broker
 * delay each other), a TimescaleDB for the run, and the source of Redis.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [kafka, redis, timescale] = await Promise.all([
    openBrokers(project.config.maxWorkers),
    findRedisPart(),
    openTimescalePart(),
  ]);
  recordPart({ ...kafka.part, name: kafkaSource.name });
  recordTimescale(timescale.part);
  project.provide('kafka', kafka.part);
  project.provide('kafkaOfWorkers', kafka.addresses);
  project.provide('redis', redis);
  project.provide('timescale', timescale.part);
  return async () => {
    await Promise.all([kafka.close(), timescale.close()]);
  };
}

/** Starts the brokers one after the other, since the first may have to download Kafka. */
async function openBrokers(count: number) {
  const opened = [await openPart(kafkaSource)];
  while (opened.length < count) opened.push(await openPart(kafkaSource));
  const [{ part }] = opened as [OpenPart<KafkaAddress>];
  return {
    part,
    addresses: opened.flatMap((each) => (each.part.state === 'lacked' ? [] : [each.part.address])),
    close: () => Promise.all(opened.map((each) => each.close())),
  };
}
