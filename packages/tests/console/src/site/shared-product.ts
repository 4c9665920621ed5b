import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SETTINGS } from '@tidewatch/e2e/settings';
import { createProduct, type Product } from '@tidewatch/harness/product';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address that answers with the product that the suites of a run share; undefined where they use another target. */
    sharedProduct: string | undefined;
  }
}

/** The product that suites share, by its key with every scope of the installation. */
export interface SharedProduct {
  url: string;
  key: string;
}

/**
 * Vitest's global setup: one product for all suites that need no settings and no restart. It is started when the first of
 * them asks, because this setup runs long before, and ends with the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TIDEWATCH_E2E_URL: givenUrl, TIDEWATCH_E2E_KEY: givenKey } = process.env;
  if (givenUrl && givenKey) return async () => undefined;
  let starting: Promise<Product> | undefined;
  const server = createServer((_request, response) => {
    starting ??= start();
    starting
      .then(({ url, key }) => response.end(JSON.stringify({ url, key } satisfies SharedProduct)))
      .catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project.provide('sharedProduct', `http://127.0.0.1:${port}/`);
  return async () => {
    await new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
    await (await starting?.catch(() => undefined))?.remove();
  };
}

async function start(): Promise<Product> {
  const product = await createProduct(SETTINGS);
  await product.start().catch(async (error: unknown) => {
    await product.remove();
    throw error;
  });
  return product;
}

/** The shared product, as soon as it is ready. Throws with the end of its output if it does not start. */
export async function askSharedProduct(address: string): Promise<SharedProduct> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as SharedProduct;
}
