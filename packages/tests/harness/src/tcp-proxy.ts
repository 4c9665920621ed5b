import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * What to do with inspected bytes: pass them on at once; hold them and all following ones until a promise resolves; or pass
 * them on and then call a function.
 */
export type Passage = undefined | Promise<void> | (() => void);

/** Inspects both directions of one connection. */
export interface Watch {
  fromClient?(bytes: Buffer): Passage;
  fromServer?(bytes: Buffer): Passage;
}

export interface TcpProxy {
  port: number;
  close(): Promise<void>;
}

export interface TcpProxyOptions {
  /** The host to which connections are forwarded. */
  host: string;
  port: number;
  /** Called for each connection; `cut` closes both sides at once, without passing on the current bytes. */
  watch(cut: () => void): Watch;
}

/** A TCP proxy on a free port of 127.0.0.1 that can inspect, delay and cut the connections through it. */
export async function startTcpProxy({ host, port, watch }: TcpProxyOptions): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, host);
    const halves = [client, upstream];
    const cut = () => {
      for (const socket of halves) socket.destroy();
    };
    for (const socket of halves) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    const { fromClient, fromServer } = watch(cut);
    client.on('data', (bytes) => pass(bytes, fromClient?.(bytes), client, upstream));
    upstream.on('data', (bytes) => pass(bytes, fromServer?.(bytes), upstream, client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(bytes: Buffer, passage: Passage, from: Socket, to: Socket): void {
  const write = (then?: () => void) => {
    if (!to.destroyed) to.write(bytes, then);
  };
  if (!(passage instanceof Promise)) {
    write(passage);
    return;
  }
  from.pause();
  void passage.then(() => {
    write();
    from.resume();
  });
}
