import type { Server, Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

export interface ConnectionLimitOptions {
  /** Open at once from one address. */
  most: number;
  /** Whether an address is a proxy's, behind which many clients stand. */
  isProxy(address: string): boolean;
  /** Told of each connection that is closed at once. */
  onRefused(): void;
}

/**
 * Closes connections of an address, or of a network of 56 bits in IPv6, that has as many open as one may. Those of
 * proxies are not counted. Nothing is said to whoever is refused: it would take a thing that there are too many of.
 */
export function limitConnections(server: Server, { most, isProxy, onRefused }: ConnectionLimitOptions): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = ipKeyGenerator(remoteAddress);
    const count = open.get(address) ?? 0;
    if (count >= most) {
      onRefused();
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
