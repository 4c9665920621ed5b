import { createProduct, type Product, type Variables } from '@tidewatch/harness/product';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { inject } from 'vitest';
import { SETTINGS } from './settings.ts';
import { askStack } from './stack/control.ts';

/** A running service that the scenarios use over HTTP, independent of its topology. */
export interface Target {
  url: string;
  key: string;
  /** The address of each process' metrics, as far as it is known. */
  metricsOf(): string[];
  /** Restarts it on the same data; absent for a service that the run did not start. */
  restart?: () => Promise<void>;
  /** Restarts after killing every process at once. */
  crash?: () => Promise<void>;
  close(): Promise<void>;
}

const { TIDEWATCH_E2E_URL: givenUrl, TIDEWATCH_E2E_KEY: givenKey } = process.env;

/** True if the target was not started by this run, so that its settings are unknown. */
export const isGiven = Boolean(givenUrl && givenKey);

/**
 * The service at TIDEWATCH_E2E_URL with the admin key TIDEWATCH_E2E_KEY; else the run's stack, in the project of that;
 * else a copy in one process, started for this suite. What is not given has `settings` besides those of all scenarios.
 */
export async function openTarget(settings: Variables = {}): Promise<Target> {
  if (givenUrl && givenKey) return elsewhere(givenUrl.replace(/\/+$/, ''), givenKey);
  const stack = inject('stack');
  if (stack !== undefined) return ofStack(stack.control, settings);
  const product = await createProduct({ ...SETTINGS, ...settings });
  await product.start().catch(async (error: unknown) => {
    await product.remove();
    throw error;
  });
  return ofProduct(product);
}

const elsewhere = (url: string, key: string): Target => ({
  url,
  key,
  metricsOf: () => [url],
  close: async () => {},
});

async function ofStack(control: string | null, settings: Variables): Promise<Target> {
  // No stack can be started, so its tests are skipped and an empty target is enough.
  if (control === null) return elsewhere('', '');
  const { url, key, dataDir } = await askStack(control, 'open', settings);
  return {
    url,
    key,
    metricsOf: () =>
      (readStackFile(dataDir)?.processes ?? []).flatMap(({ admin_url: address }) => address ?? []),
    restart: async () => void (await askStack(control, 'restart')),
    crash: async () => void (await askStack(control, 'crash')),
    close: async () => {},
  };
}

function ofProduct(product: Product): Target {
  return {
    url: product.url,
    key: product.key,
    metricsOf: () => [product.url],
    restart: async () => {
      await product.stop();
      await product.start();
    },
    crash: async () => {
      await product.kill();
      await product.start();
    },
    close: () => product.remove(),
  };
}
