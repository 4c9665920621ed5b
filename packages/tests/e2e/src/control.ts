import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { Product, Variables } from '@tidewatch/harness/product';

/** The commands by which suites control a product that another process has started. */
export type ProductOrder = 'open' | 'restart' | 'kill' | 'start';

export interface OpenProduct {
  url: string;
  key: string;
  dataDir: string;
}

/**
 * Serves commands for a product on the loopback interface. It is started when a suite first opens it, and restarted for a suite
 * with other settings.
 */
export async function serveProduct(product: Product): Promise<{ url: string; close(): Promise<void> }> {
  let settings: Variables | null = null;
  const orders: Record<ProductOrder, (wanted: Variables) => Promise<void>> = {
    async open(wanted) {
      if (isDeepStrictEqual(settings, wanted)) return;
      if (settings !== null) await product.stop();
      settings = wanted;
      await product.start(settings);
    },
    async restart() {
      await product.stop();
      await product.start(settings ?? {});
    },
    kill: () => product.kill(),
    start: () => product.start(settings ?? {}),
  };
  const server = createServer((request, response) => {
    const order = orders[(request.url ?? '').slice(1) as ProductOrder];
    const { url, key, dataDir } = product;
    json(request)
      .then((wanted) => order(wanted as Variables))
      .then(() => response.end(JSON.stringify({ url, key, dataDir } satisfies OpenProduct)))
      .catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

/** Sends a command and waits until it is carried out. Throws with the end of the product's output. */
export async function askProduct(
  control: string,
  order: ProductOrder,
  settings: Variables = {},
): Promise<OpenProduct> {
  const response = await fetch(`${control}/${order}`, { method: 'POST', body: JSON.stringify(settings) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as OpenProduct;
}
