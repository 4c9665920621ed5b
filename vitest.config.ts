import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './packages/tools/src/test-order/long-files-first.ts';

const shared = {
  environment: 'node' as const,
  exclude: ['**/node_modules/**'],
  // A busy machine is late; what does not come at all fails all the same.
  // A poll asks a process or a browser, which takes processor time from what the test waits for.
  expect: { poll: { timeout: 45_000, interval: 200 } },
  // A failure that happens on another machine is understood by its message alone.
  chaiConfig: { truncateThreshold: 0 },
};

/**
 * A timeout ends a test that hangs; it asserts nothing about speed. Each is a multiple of what the slowest test takes on
 * a machine at five times its load, and longer than a poll waits, so that a failure prints the last value polled.
 */
const PATIENT = { testTimeout: 120_000, hookTimeout: 180_000 };

/** Most suites wait more than they compute, and each has parts of its own, so that two share even two cores well. */
const SIDE_BY_SIDE = { maxWorkers: 2 };
/** Each worker has a broker of its own. */
const BROKERS = { maxWorkers: 2, sequence: { groupOrder: 2 } };
/** After those that need no product. */
const SCENARIOS = { maxWorkers: 2, sequence: { groupOrder: 1 } };

const DISTRIBUTED = 'packages/**/*.distributed.test.ts';
/** Suites that measure rounds of the event loop, in which nobody else's garbage may be collected. */
const EVENT_LOOP = 'packages/**/event-loop.integration.test.ts';
const CONSOLE = 'packages/tests/console/**/*.test.ts';
const FAULTS = 'packages/tests/faults/**/*.faults.test.ts';

/** The scenarios that only the distributed topology has, and those that only the one process has. */
const STACK_ALONE = 'packages/tests/e2e/src/stack/**';
const ONE_PROCESS_ALONE = [
  'packages/tests/e2e/src/agent-package.test.ts',
  'packages/tests/e2e/src/agent-update.test.ts',
  'packages/tests/e2e/src/faults/**',
  'packages/tests/e2e/src/schemathesis.test.ts',
  'packages/tests/e2e/src/series-limit.test.ts',
  'packages/tests/e2e/src/spoiled-requests.test.ts',
  'packages/tests/e2e/src/stopped-database.test.ts',
];

/** Scenarios that depend on how samples are kept, run on rows too, which TimescaleDB Community and installations of before keep. */
const OF_ROWS = ['extremes', 'lifecycle', 'main-job', 'parts', 'persistence', 'preview'].map(
  (name) => `packages/tests/e2e/src/${name}.test.ts`,
);

/** The suite of the console that only the distributed topology has. */
const CONSOLE_STACK_ALONE = 'packages/tests/console/src/system/stack-processes.test.ts';
/** Suites of the console that depend on separate processes: signing in and live updates, too. The others run in one process. */
const CONSOLE_STACK = [
  'packages/tests/console/src/session/sign-in.test.ts',
  'packages/tests/console/src/live/live-updates.test.ts',
  CONSOLE_STACK_ALONE,
];

/**
 * Projects: `unit` needs no service, `integration` and `event-loop` a database, `distributed` Kafka and Redis too, `e2e` the product in
 * one process, `e2e-rows` some of these scenarios on samples as rows, `e2e-stack` the same scenarios with a process for each service, `faults` parts of its own to break. `console`
 * and `console-stack` open the console in a browser, on either topology.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          ...shared,
          ...SIDE_BY_SIDE,
          name: 'unit',
          // Modules are loaded once for each worker, which takes 60 in place of 150 CPU-seconds: no unit test changes what others import.
          isolate: false,
          include: ['packages/**/*.test.ts'],
          exclude: [
            ...shared.exclude,
            'packages/**/*.integration.test.ts',
            DISTRIBUTED,
            FAULTS,
            'packages/tests/e2e/**',
            CONSOLE,
          ],
          ...PATIENT,
        },
      },
      {
        test: {
          ...shared,
          ...SIDE_BY_SIDE,
          name: 'integration',
          isolate: false,
          include: ['packages/**/*.integration.test.ts'],
          exclude: [...shared.exclude, EVENT_LOOP, 'packages/tests/e2e/**'],
          globalSetup: ['packages/tests/harness/src/global-setup.ts'],
          ...PATIENT,
        },
      },
      {
        test: {
          ...shared,
          ...SIDE_BY_SIDE,
          name: 'event-loop',
          include: [EVENT_LOOP],
          globalSetup: ['packages/tests/harness/src/global-setup.ts'],
          ...PATIENT,
        },
      },
      {
        test: {
          ...shared,
          name: 'distributed',
          isolate: false,
          include: [DISTRIBUTED],
          globalSetup: [
            'packages/tests/harness/src/global-setup.ts',
            'packages/tests/harness/src/distributed-setup.ts',
          ],
          ...BROKERS,
          ...PATIENT,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'faults',
          include: [FAULTS],
          ...BROKERS,
          ...PATIENT,
          testTimeout: 600_000,
        },
      },
      {
        test: {
          ...shared,
          ...SCENARIOS,
          name: 'e2e',
          isolate: false,
          include: ['packages/tests/e2e/**/*.test.ts'],
          exclude: [...shared.exclude, STACK_ALONE],
          globalSetup: [
            'packages/tests/harness/src/global-setup.ts',
            'packages/tests/e2e/src/one-process/setup.ts',
          ],
          ...PATIENT,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          ...SCENARIOS,
          name: 'e2e-rows',
          isolate: false,
          include: OF_ROWS,
          env: { TIDEWATCH_TEST_SAMPLE_LAYOUT: 'rows' },
          globalSetup: [
            'packages/tests/harness/src/global-setup.ts',
            'packages/tests/e2e/src/one-process/rows-setup.ts',
          ],
          ...PATIENT,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e-stack',
          isolate: false,
          include: ['packages/tests/e2e/**/*.test.ts'],
          exclude: [...shared.exclude, ...ONE_PROCESS_ALONE],
          globalSetup: ['packages/tests/e2e/src/stack/setup.ts'],
          setupFiles: ['packages/tests/e2e/src/stack/skip-without.ts'],
          ...PATIENT,
          testTimeout: 180_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...shared,
          ...SCENARIOS,
          name: 'console',
          isolate: false,
          include: [CONSOLE],
          exclude: [...shared.exclude, CONSOLE_STACK_ALONE],
          globalSetup: [
            'packages/tests/console/src/setup.ts',
            'packages/tests/console/src/site/shared-product.ts',
          ],
          ...PATIENT,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          ...PATIENT,
          name: 'console-stack',
          isolate: false,
          include: CONSOLE_STACK,
          globalSetup: ['packages/tests/console/src/setup.ts', 'packages/tests/e2e/src/stack/setup.ts'],
          setupFiles: ['packages/tests/e2e/src/stack/skip-without.ts'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
