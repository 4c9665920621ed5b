import type { TestProject } from 'vitest/node';
import { type KafkaAddress, kafkaSource } from './parts/kafka.ts';
import { openPart, type Part } from './parts/part.ts';
import { findRedisPart, type RedisPart } from './parts/redis.ts';
import { recordPart } from './parts/report.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: Part<KafkaAddress>;
    redis: RedisPart;
  }
}

/** Vitest's global setup of the distributed suites: one broker for the run, and where Redis comes from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [kafka, redis] = await Promise.all([openPart(kafkaSource), findRedisPart()]);
  recordPart({ ...kafka.part, name: kafkaSource.name });
  project.provide('kafka', kafka.part);
  project.provide('redis', redis);
  return kafka.close;
}
