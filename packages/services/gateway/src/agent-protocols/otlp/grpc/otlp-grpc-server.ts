import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as TcpServer } from 'node:net';
import { type ConnectionInjector, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { limitConnections } from '@tidewatch/runtime/http/connection-limit';
import { listenRefusal } from '@tidewatch/runtime/http/listen-refusal';
import { createExportHandler, type ExportOptions, MAX_MESSAGE_BYTES } from './export-handler.ts';

/** Where the server listens, with the settings of the HTTP server. */
export interface GrpcListening {
  host: string;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** PEM texts; TLS where given. */
  tls: { cert: string; key: string } | undefined;
  connectionsPerAddress: number;
  /** Whether a proxy at this address is trusted to name its client. */
  trusts: (address: string, hop: number) => boolean;
}

export interface OtlpGrpcServer {
  /** Listens. Throws StartRefusedError where the address cannot be used. */
  start(): Promise<void>;
  /** The port once it has started. */
  port(): number;
  /** Accepts no further connections and calls, lets running calls finish for two seconds, then cuts the remaining connections. */
  stop(): Promise<void>;
}

export interface OtlpGrpcOptions extends ExportOptions {
  listening: GrpcListening;
  onConnectionRefused(): void;
}

const FINISH_WITHIN_MS = 2_000;
const MAX_CONNECTIONS = 4_096;

const OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_concurrent_streams': 100,
  // Closes connections whose clients are gone, and those without calls.
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 20_000,
  'grpc.max_connection_idle_ms': 600_000,
  'grpc.enable_channelz': 0,
};

/** The service, with messages as they are on the wire. Export has one message, which is read as a stream of one. */
const SERVICE = {
  Export: {
    path: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
    requestStream: true,
    responseStream: false,
    requestSerialize: (message: Buffer) => message,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (message: Uint8Array) => Buffer.from(message),
    responseDeserialize: (bytes: Buffer) => bytes,
  },
} satisfies ServiceDefinition;

/** Creates the server of OTLP over gRPC, which does not listen yet. */
export function createOtlpGrpcServer(options: OtlpGrpcOptions): OtlpGrpcServer {
  const { listening, logger, onConnectionRefused } = options;
  const { host, port, tls } = listening;
  const server = new Server(OPTIONS);
  server.addService(SERVICE, { Export: createExportHandler(options) });
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) },
        ]);
  let tcp: TcpServer | undefined;
  return {
    async start() {
      const injector = server.createConnectionInjector(credentials);
      tcp = openTcp(listening, injector, onConnectionRefused);
      tcp.listen({ host, port });
      await once(tcp, 'listening').catch((error: unknown) => {
        throw listenRefusal(listening, 'TIDEWATCH_OTLP_GRPC_PORT or TIDEWATCH_HOST', error);
      });
      const bound = (tcp.address() as AddressInfo).port;
      logger.info({ host, port: bound, tls: tls !== undefined }, 'listening for OTLP over gRPC');
    },
    port: () => (tcp?.address() as AddressInfo | null | undefined)?.port ?? 0,
    async stop() {
      const listened = tcp;
      if (listened === undefined) return;
      tcp = undefined;
      listened.close();
      await shutDown(server);
    },
  };
}

/** Accepts connections with the limits of the HTTP server and hands them to the server of gRPC. */
function openTcp(
  { connectionsPerAddress, trusts }: GrpcListening,
  injector: ConnectionInjector,
  onRefused: () => void,
): TcpServer {
  const tcp = createServer({ noDelay: true });
  tcp.maxConnections = MAX_CONNECTIONS;
  limitConnections(tcp, { most: connectionsPerAddress, isProxy: (address) => trusts(address, 0), onRefused });
  tcp.on('connection', (socket) => {
    if (!socket.destroyed) injector.injectConnection(socket);
  });
  return tcp;
}

async function shutDown(server: Server): Promise<void> {
  const cut = setTimeout(() => server.forceShutdown(), FINISH_WITHIN_MS);
  await new Promise<void>((resolve) => {
    server.tryShutdown(() => resolve());
  });
  clearTimeout(cut);
}
