import type { TestProject } from 'vitest/node';
import { type KafkaAddress, openKafkaPart } from './parts/kafka.ts';
import type { Part } from './parts/part.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: Part<KafkaAddress>;
  }
}

/** Vitest's global setup of the distributed suites: one broker for the run. Suites that need Redis start one of their own, to stop it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kafka = await openKafkaPart();
  project.provide('kafka', kafka.part);
  return async () => {
    await kafka.close();
  };
}
