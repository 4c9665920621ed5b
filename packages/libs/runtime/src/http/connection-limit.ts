import type { Server, Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

export interface ConnectionLimitOptions {
  /** Maximum number of open connections of one address. */
  most: number;
  /** Returns true if the address is that of a proxy with many clients. */
  isProxy(address: string): boolean;
  /** Called for each connection that is closed at once. */
  onRefused(): void;
}

/**
 * Closes a new connection of an address (for IPv6, of a /56 network) that has reached the limit, without a response, which
 * would keep it open. Connections of proxies are not counted.
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
