import { createStack } from '@tidewatch/harness/product';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { findRedis } from '@tidewatch/stack/parts/redis-server';
import type { TestProject } from 'vitest/node';
import { serveProduct } from '../control.ts';
import { SETTINGS } from '../settings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The address at which the run's stack is controlled; `control` is null if the stack cannot be started, and `lacks`
     * says why. `grpcPort` is that of OTLP over gRPC.
     */
    stack: { control: string | null; lacks: string; grpcPort: number } | undefined;
  }
}

const SEVERAL = [
  '--gateways',
  '2',
  '--writers',
  '2',
  '--evaluators',
  '2',
  '--notifiers',
  '2',
  '--investigators',
  '2',
];

/**
 * Vitest's global setup of scenarios on the distributed topology: one stack per run, with two processes of each service.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lacks = whatLacks();
  if (lacks !== '') {
    project.provide('stack', { control: null, lacks, grpcPort: 0 });
    return async () => undefined;
  }
  const grpcPort = await freePort();
  const stack = await createStack(SEVERAL, { ...SETTINGS, TIDEWATCH_OTLP_GRPC_PORT: String(grpcPort) });
  const { url, close } = await serveProduct(stack);
  project.provide('stack', { control: url, lacks, grpcPort });
  return async () => {
    await close();
    await stack.remove();
  };
}

function whatLacks(): string {
  const { TIDEWATCH_TEST_KAFKA_BROKERS: brokers, TIDEWATCH_TEST_REDIS_URL: redis } = process.env;
  const obstacle = brokers ? null : kafkaObstacle();
  if (obstacle !== null) return `Kafka cannot be started here: ${obstacle}`;
  return redis || findRedis() !== null ? '' : 'neither valkey-server nor redis-server is on PATH';
}
