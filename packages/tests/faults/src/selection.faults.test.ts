import { randomInt } from 'node:crypto';
import { createLifecycle, type Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { findRedis } from '@tidewatch/stack/parts/redis-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selection } from './cases/selection.ts';
import { type Parts, startParts } from './harness/parts.ts';
import { runCase } from './run-case.ts';

const seed = randomInt(2 ** 31);

const lacked = kafkaObstacle() !== null ? 'Kafka' : findRedis() === null ? 'Redis' : null;

// The suite always starts its own servers, because those that the environment names must not be broken.
describe.skipIf(lacked !== null)(`[needs ${lacked ?? 'Kafka and Redis'}] nothing is lost or doubled`, () => {
  let parts: Parts;
  let lifecycle: Lifecycle;
  beforeAll(async () => {
    lifecycle = createLifecycle(createSilentLogger());
    parts = await lifecycle.open(
      'parts',
      () => startParts(),
      (opened) => opened.close(),
    );
  });
  afterAll(() => lifecycle.close());

  test(`${selection.fault}, seed ${seed}`, async () => {
    const { faults, acknowledged, found, missing, doubled } = await runCase(
      selection,
      { parts, seed, short: true },
      lifecycle,
    );
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect({ found, missing, doubled }).toEqual({ found: acknowledged, missing: 0, doubled: 0 });
  });
});
