import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Product } from '@tidewatch/testkit/product';

/** What suites may ask of the run's stack, which another process has started. */
export type StackOrder = 'open' | 'restart' | 'crash';

export interface OpenStack {
  url: string;
  key: string;
  dataDir: string;
}

/** Serves the stack's orders on the loopback; the first one starts it, so that it does not run before it is wanted. */
export async function serveStack(stack: Product): Promise<{ url: string; close(): Promise<void> }> {
  let running: Promise<void> | null = null;
  const start = () => (running ??= stack.start());
  const orders: Record<StackOrder, () => Promise<void>> = {
    open: start,
    async restart() {
      await stack.stop();
      await stack.start();
    },
    async crash() {
      await stack.kill();
      await stack.start();
    },
  };
  const server = createServer((request, response) => {
    const order = orders[(request.url ?? '').slice(1) as StackOrder];
    const { url, key, dataDir } = stack;
    order()
      .then(() => response.end(JSON.stringify({ url, key, dataDir } satisfies OpenStack)))
      .catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

/** Gives an order and waits until it is done. Throws with the end of the stack's output. */
export async function askStack(control: string, order: StackOrder): Promise<OpenStack> {
  const response = await fetch(`${control}/${order}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as OpenStack;
}
