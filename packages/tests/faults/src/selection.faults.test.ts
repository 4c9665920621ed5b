import { randomInt } from 'node:crypto';
import { openForFile } from '@tidewatch/harness/opened';
import { layoutOf } from '@tidewatch/harness/sample-layout';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { findRedis } from '@tidewatch/stack/parts/redis-server';
import { describe, expect, test } from 'vitest';
import { selection } from './cases/selection.ts';
import { startParts } from './harness/parts.ts';
import { runCase } from './run-case.ts';

const seed = randomInt(2 ** 31);
const sampleLayout = layoutOf(process.env.TIDEWATCH_TEST_SAMPLE_LAYOUT);

const lacked = kafkaObstacle() !== null ? 'Kafka' : findRedis() === null ? 'Redis' : null;

// The suite always starts its own servers, because those that the environment names must not be broken.
const lifecycle = await openForFile(createLifecycle(createSilentLogger()));
const parts = await lifecycle.open(
  'parts',
  () => startParts(),
  (opened) => opened.close(),
);

describe.skipIf(lacked !== null)(`[needs ${lacked ?? 'Kafka and Redis'}] nothing is lost or doubled`, () => {
  test(`${selection.fault}, seed ${seed}`, async () => {
    const { faults, acknowledged, found, missing, doubled } = await runCase(
      selection,
      { parts, seed, sampleLayout, short: true },
      lifecycle,
    );
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect({ found, missing, doubled }).toEqual({ found: acknowledged, missing: 0, doubled: 0 });
  });
});
