import { defineConfig } from 'vitest/config';

const shared = {
  environment: 'node' as const,
  exclude: ['**/node_modules/**'],
};

const DISTRIBUTED = 'packages/**/*.distributed.test.ts';
const FAULTS = 'packages/tests/faults/**/*.faults.test.ts';

/** Projects: `unit` needs no service, `integration` a database, `distributed` Kafka and Redis too, `faults` parts of its own to break, `e2e` the product. */
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
            FAULTS,
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
          name: 'faults',
          include: [FAULTS],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
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
