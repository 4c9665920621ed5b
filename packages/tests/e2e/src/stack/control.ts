import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { Product, Variables } from '@tidewatch/harness/product';

/** The commands by which suites control the stack of the run, which is another process. */
export type StackOrder = 'open' | 'restart' | 'crash';

export interface OpenStack {
  url: string;
  key: string;
  dataDir: string;
}

/**
 * Serves commands for the stack on the loopback interface. The stack is started when a suite first opens it, and restarted
 * for a suite with other settings.
 */
export async function serveStack(stack: Product): Promise<{ url: string; close(): Promise<void> }> {
  let settings: Variables | null = null;
  const orders: Record<StackOrder, (wanted: Variables) => Promise<void>> = {
    async open(wanted) {
      if (isDeepStrictEqual(settings, wanted)) return;
      if (settings !== null) await stack.stop();
      settings = wanted;
      await stack.start(settings);
    },
    async restart() {
      await stack.stop();
      await stack.start(settings ?? {});
    },
    async crash() {
      await stack.kill();
      await stack.start(settings ?? {});
    },
  };
  const server = createServer((request, response) => {
    const order = orders[(request.url ?? '').slice(1) as StackOrder];
    const { url, key, dataDir } = stack;
    json(request)
      .then((wanted) => order(wanted as Variables))
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

/** Sends a command and waits until it is carried out. Throws with the end of the stack's output. */
export async function askStack(
  control: string,
  order: StackOrder,
  settings: Variables = {},
): Promise<OpenStack> {
  const response = await fetch(`${control}/${order}`, { method: 'POST', body: JSON.stringify(settings) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as OpenStack;
}
