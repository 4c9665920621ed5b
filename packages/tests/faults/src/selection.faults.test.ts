import { randomInt } from 'node:crypto';
import { createLifecycle } from '@tidewatch/runtime/lifecycle';
import { createSilentLogger } from '@tidewatch/runtime/logger';
import { kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { findRedis } from '@tidewatch/stack/parts/redis-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Parts, startParts } from './bed/parts.ts';
import { commitUnknown } from './cases/connections.ts';
import { evaluatorKilled, writerKilled } from './cases/consumer-killed.ts';
import { gatewayKilled } from './cases/gateway-killed.ts';
import { noFault } from './cases/no-fault.ts';
import { runCase } from './run-case.ts';

const seed = randomInt(2 ** 31);

// Parts of our own, whatever the environment names: they would not be ours to break.
describe.skipIf(kafkaObstacle() !== null)('[needs Kafka]', () => {
  describe.skipIf(findRedis() === null)('[needs Redis] what is stored after', () => {
    let parts: Parts;
    beforeAll(async () => {
      parts = await startParts();
    });
    afterAll(() => parts?.close());

    test.each([noFault, gatewayKilled, writerKilled, evaluatorKilled, commitUnknown])(
      `$fault, seed ${seed}`,
      async (fault) => {
        const lifecycle = createLifecycle(createSilentLogger());
        try {
          const { faults, missing, doubled, acknowledged } = await runCase(
            fault,
            { parts, seed, short: true },
            lifecycle,
          );
          expect(faults).toEqual([]);
          expect(acknowledged).toBeGreaterThan(0);
          expect({ missing, doubled }).toEqual({ missing: 0, doubled: 0 });
        } finally {
          await lifecycle.close();
        }
      },
    );
  });
});
