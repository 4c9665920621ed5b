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
 * Closes a new connection of an address, or of a network of 56 bits in IPv6, that has reached the limit. Connections of
 * proxies are not counted. A refused client gets no response, since that would keep the connection open.
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
