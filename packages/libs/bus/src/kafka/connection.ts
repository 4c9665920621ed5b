import { connect as connectTcp, isIP } from 'node:net';
import { checkServerIdentity, connect as connectTls, type PeerCertificate } from 'node:tls';
import type { Kafka, KafkaConfig, logLevel, SASLOptions } from 'kafkajs';
import { kafkajs } from './client.ts';
import { ConnectionBackoff, connectLater } from './connection-backoff.ts';

export interface KafkaConnectionOptions {
  brokers: readonly string[];
  /** The client's name as Kafka's own tools show it. */
  clientId: string;
  /** TLS settings; `true` trusts the certificate authorities of the system. */
  tls?: boolean | { ca?: string; cert?: string; key?: string };
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
  log(level: 'error' | 'warn' | 'info' | 'debug', message: string, fields: object): void;
}

const LEVELS: Readonly<Record<number, 'error' | 'warn' | 'info' | 'debug'>> = {
  1: 'error',
  2: 'warn',
  4: 'info',
  5: 'debug',
};

/** A client of the cluster, which connects at its first use. */
export function openKafka(options: KafkaConnectionOptions): Kafka {
  const backoff = new ConnectionBackoff(() => performance.now(), Math.random);
  const config: KafkaConfig = {
    brokers: [...options.brokers],
    clientId: options.clientId,
    connectionTimeout: 3_000,
    authenticationTimeout: 5_000,
    requestTimeout: 10_000,
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: 4 as logLevel,
    logCreator: () => (entry) => {
      const { message, ...fields } = entry.log;
      options.log(LEVELS[entry.level] ?? 'info', message, { namespace: entry.namespace, ...fields });
    },
    // Kafka's client never sets TCP_NODELAY, which costs every small request up to 40 ms.
    socketFactory: ({ host, port, ssl, onConnect }) => {
      const address = `${host}:${port}`;
      const delay = backoff.delayOf(address);
      const target = delay > 0 ? connectLater(host, delay) : { host };
      const socket = ssl
        ? connectTls({ ...target, port, ...identityOf(host), ...ssl }, onConnect)
        : connectTcp({ ...target, port }, onConnect);
      socket.setKeepAlive(true, 60_000);
      socket.setNoDelay(true);
      backoff.watch(address, socket);
      return socket;
    },
    ...(options.tls && { ssl: options.tls === true ? true : { ...options.tls } }),
    ...(options.sasl && { sasl: options.sasl as SASLOptions }),
  };
  return new kafkajs.Kafka(config);
}

/**
 * Returns the TLS options that check the broker's certificate: by server name (SNI) for a host name, and by a direct
 * comparison for an IP address, which SNI cannot carry.
 */
function identityOf(host: string) {
  if (isIP(host) === 0) return { servername: host };
  return { checkServerIdentity: (_name: string, peer: PeerCertificate) => checkServerIdentity(host, peer) };
}
