import { join } from 'node:path';
import { createProduct, type Product, type Variables } from '@tidewatch/harness/product';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { databaseHome, readPasswords } from '@tidewatch/standalone/data-directory/data-directory';
import { connectAdmin, DATABASE } from '@tidewatch/standalone/database';
import { inject } from 'vitest';
import { askProduct } from './control.ts';
// These type what the setups provide.
import type {} from './one-process/setup.ts';
import { SETTINGS } from './settings.ts';
import type {} from './stack/setup.ts';

/** A running service that the scenarios use over HTTP, independent of its topology. */
export interface Target {
  url: string;
  key: string;
  /** The addresses of the metrics of each process, as far as they are known. */
  metricsOf(): string[];
  /** Restarts the target on the same data; undefined for a service that the run did not start. */
  restart?: () => Promise<void>;
  /** Kills every process at once, and starts the target again once `meanwhile` has ended. */
  crash?: (meanwhile?: () => Promise<void>) => Promise<void>;
  /** Makes every process stand still, where they run on this machine alone; returns what makes them go on. */
  halt?: () => () => void;
  /** Runs one statement on the data as superuser, for what would otherwise take time to pass; on a copy in one process alone. */
  age?: (statement: string) => Promise<void>;
  close(): Promise<void>;
}

const { TIDEWATCH_E2E_URL: givenUrl, TIDEWATCH_E2E_KEY: givenKey } = process.env;

/** True if the target was not started by this run, so that its settings are unknown. */
export const isGiven = Boolean(givenUrl && givenKey);

/**
 * Opens the service at TIDEWATCH_E2E_URL with the admin key TIDEWATCH_E2E_KEY; otherwise the stack of the run, or a copy in
 * one process: that of the worker, or one for this suite if it needs `settings`, in addition to those of all scenarios.
 */
export async function openTarget(settings: Variables = {}): Promise<Target> {
  if (givenUrl && givenKey) return elsewhere(givenUrl.replace(/\/+$/, ''), givenKey);
  const stack = inject('stack');
  if (stack !== undefined) return ofStack(stack.control, settings);
  const shared = ofWorker();
  if (shared === undefined || Object.keys(settings).length > 0)
    return ofProduct(await startProduct({ ...SETTINGS, ...settings }));
  const { url, key } = await askProduct(shared.control, 'open');
  return { url, key, metricsOf: () => [url], ...restartsOf(shared.control) };
}

/** Opens the service of `openTarget` with OTLP over gRPC, and says on which port of this machine that is. The run has to start it. */
export async function openGrpcTarget(): Promise<{ target: Target; grpcPort: number }> {
  const shared = inject('stack') ?? ofWorker();
  if (shared !== undefined) return { target: await openTarget(), grpcPort: shared.grpcPort };
  const grpcPort = await freePort();
  return { target: await openTarget({ TIDEWATCH_OTLP_GRPC_PORT: String(grpcPort) }), grpcPort };
}

/** The copy in one process that suites of this worker share; undefined where the run has none. */
function ofWorker(): { control: string; grpcPort: number } | undefined {
  return inject('productsOfWorkers')?.[Number(process.env.VITEST_POOL_ID ?? 1) - 1];
}

/** Starts a copy in one process. */
export async function startProduct(settings: Variables = {}): Promise<Product> {
  const product = await createProduct(settings);
  await product.start().catch(async (error: unknown) => {
    await product.remove();
    throw error;
  });
  return product;
}

const elsewhere = (url: string, key: string): Target => ({
  url,
  key,
  metricsOf: () => [url],
  close: async () => {},
});

async function ofStack(control: string | null, settings: Variables): Promise<Target> {
  // An empty target suffices, because the tests are skipped if no stack can be started.
  if (control === null) return elsewhere('', '');
  const { url, key, dataDir } = await askProduct(control, 'open', settings);
  return {
    url,
    key,
    metricsOf: () =>
      (readStackFile(dataDir)?.processes ?? []).flatMap(({ admin_url: address }) => address ?? []),
    ...restartsOf(control),
  };
}

async function crashOf(
  kill: () => Promise<void>,
  start: () => Promise<void>,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  await kill();
  try {
    await meanwhile?.();
  } finally {
    await start();
  }
}

/** How a product that suites share is restarted; it stays when one of them has ended. */
const restartsOf = (control: string): Pick<Target, 'restart' | 'crash' | 'close'> => ({
  restart: async () => void (await askProduct(control, 'restart')),
  crash: (meanwhile) =>
    crashOf(
      async () => void (await askProduct(control, 'kill')),
      async () => void (await askProduct(control, 'start')),
      meanwhile,
    ),
  close: async () => {},
});

function ofProduct(product: Product): Target {
  return {
    url: product.url,
    key: product.key,
    metricsOf: () => [product.url],
    restart: async () => {
      await product.stop();
      await product.start();
    },
    crash: (meanwhile) => crashOf(product.kill, product.start, meanwhile),
    halt: () => product.halt(),
    async age(statement) {
      const { postgres: password } = readPasswords(product.dataDir);
      const admin = connectAdmin(join(databaseHome(product.dataDir), 'run'), 5432, password, DATABASE);
      await admin.sql.unsafe(statement).finally(() => admin.close());
    },
    close: () => product.remove(),
  };
}
