import type { TestProject } from 'vitest/node';
import { type KafkaAddress, kafkaSource } from './parts/kafka.ts';
import { openPart, type Part } from './parts/part.ts';
import { findRedisPart, type RedisPart } from './parts/redis.ts';
import { recordPart } from './parts/report.ts';
import { openTimescalePart, recordTimescale, type TimescaleAddress } from './parts/timescale.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: Part<KafkaAddress>;
    redis: RedisPart;
    timescale: Part<TimescaleAddress>;
  }
}

/** Vitest's global setup of the distributed suites: a broker and a TimescaleDB for the run, and where Redis comes from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [kafka, redis, timescale] = await Promise.all([
    openPart(kafkaSource),
    findRedisPart(),
    openTimescalePart(),
  ]);
  recordPart({ ...kafka.part, name: kafkaSource.name });
  recordTimescale(timescale.part);
  project.provide('kafka', kafka.part);
  project.provide('redis', redis);
  project.provide('timescale', timescale.part);
  return async () => {
    await Promise.all([kafka.close(), timescale.close()]);
  };
}
