import type { TestProject } from 'vitest/node';
import { type KafkaAddress, openKafkaPart } from './parts/kafka.ts';
import type { Part } from './parts/part.ts';
import { openTimescalePart, type TimescaleAddress } from './parts/timescale.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: Part<KafkaAddress>;
    timescale: Part<TimescaleAddress>;
  }
}

/** Vitest's global setup of the distributed suites: one broker and one TimescaleDB for the run. Suites that need Redis start one of their own, to stop it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [kafka, timescale] = await Promise.all([openKafkaPart(), openTimescalePart()]);
  project.provide('kafka', kafka.part);
  project.provide('timescale', timescale.part);
  return async () => {
    await Promise.all([kafka.close(), timescale.close()]);
  };
}
