import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server that can simulate a stopped or unavailable server. */
export interface HaltingProxy {
  /** The URL of the server through the proxy. */
  url: string;
  /** Stops passing data while connections stay open, as if the machine had stopped. */
  halt(): void;
  /** Cuts all connections and refuses new ones, as if the server had ended. */
  cut(): void;
  /** Passes everything on again, held data first. */
  resume(): void;
  close(): Promise<void>;
}

/** Starts the proxy in front of the server of this URL. */
export async function startHaltingProxy(serverUrl: string): Promise<HaltingProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'halted' | 'cut' = 'open';

  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (state === 'halted') from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  function destroyAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: url.href,
    halt() {
      state = 'halted';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      state = 'cut';
      destroyAll();
    },
    resume() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
