import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createGatewayAffinity } from './gateway-affinity.ts';

export interface GrpcForwarding {
  server: Server;
  /** Ends the connections that are open. */
  endConnections(): void;
}

const CONNECT_WITHIN_MS = 5_000;

/**
 * Forwards connections of OTLP over gRPC to gateways, each client to one. Bytes pass unchanged, encrypted ones too, so that the gateways
 * see the address of the proxy. A client whose gateway does not accept connections gets another one, and none if no gateway does.
 */
export function createGrpcForwarding(gateways: readonly string[]): GrpcForwarding {
  const affinity = createGatewayAffinity(gateways);
  const clients = new Set<Socket>();

  function forward(client: Socket, tries: number): void {
    const url = affinity.of(client.remoteAddress);
    const { hostname, port } = new URL(url);
    const gateway = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      timeout: CONNECT_WITHIN_MS,
    });
    const fail = () => {
      gateway.destroy();
      affinity.leaveOut(url);
      if (tries > 1 && !client.destroyed) forward(client, tries - 1);
      else client.destroy();
    };
    gateway.once('error', fail);
    gateway.once('timeout', fail);
    gateway.once('connect', () => {
      gateway.off('error', fail);
      gateway.off('timeout', fail);
      // Connections of gRPC stay open without calls; each side ends those whose other side is gone.
      gateway.setTimeout(0);
      pipeline(client, gateway, client, () => {
        client.destroy();
        gateway.destroy();
      });
    });
  }

  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    forward(client, gateways.length);
  });
  return {
    server,
    endConnections() {
      for (const client of clients) client.destroy();
    },
  };
}
