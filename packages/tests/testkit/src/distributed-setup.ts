import type { TestProject } from 'vitest/node';
import { type KafkaAddress, openKafkaPart } from './parts/kafka.ts';
import type { Part } from './parts/part.ts';
import { openRedisPart, type RedisAddress } from './parts/redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: Part<KafkaAddress>;
    redis: Part<RedisAddress>;
  }
}

/** Vitest's global setup of the distributed suites: one broker and one Redis for the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kafka = await openKafkaPart();
  const redis = await openRedisPart();
  project.provide('kafka', kafka.part);
  project.provide('redis', redis.part);
  return async () => {
    await kafka.close();
    await redis.close();
  };
}
