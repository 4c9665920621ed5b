import { defineConfig } from 'vitest/config';

const shared = {
  environment: 'node' as const,
  exclude: ['**/node_modules/**'],
};

const DISTRIBUTED = 'packages/**/*.distributed.test.ts';

/** Projects: `unit` needs no service, `integration` a database, `distributed` Kafka and Redis too, `e2e` the product. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/**/*.test.ts'],
          exclude: [
            ...shared.exclude,
            'packages/**/*.integration.test.ts',
            DISTRIBUTED,
            'packages/tests/e2e/**',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['packages/**/*.integration.test.ts'],
          exclude: [...shared.exclude, 'packages/tests/e2e/**'],
          globalSetup: ['packages/tests/testkit/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'distributed',
          include: [DISTRIBUTED],
          globalSetup: [
            'packages/tests/testkit/src/global-setup.ts',
            'packages/tests/testkit/src/distributed-setup.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['packages/tests/e2e/**/*.test.ts'],
          globalSetup: ['packages/tests/testkit/src/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
