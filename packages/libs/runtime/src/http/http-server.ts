import { once } from 'node:events';
import { createServer as createHttpServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { PROBLEMS, type ProblemCode } from '@tidewatch/contracts/problems/problem-codes';
import type { Express } from 'express';
import type { Metrics } from '../telemetry/metrics.ts';
import { limitConnections } from './connection-limit.ts';
import { cutIdleConnections, watchConnections } from './connection-watch.ts';

export interface HttpServerOptions {
  app: Express;
  host: string;
  /** The port to listen on; 0 takes a free port. */
  port: number;
  /** PEM texts; HTTPS instead of HTTP where given. */
  tls?: { cert: string; key: string } | undefined;
  /** Counts refused connections; without it they are not counted. */
  metrics?: Metrics;
  /** The max number of open connections of one address, not counting trusted proxies. Default 1,024. */
  connectionsPerAddress?: number;
  /** Bounds in place of those of the product, for tests. */
  bounds?: Partial<ConnectionBounds>;
}

/** Timeouts and limits of connections; all times are in ms. */
export interface ConnectionBounds {
  /** Timeout for the headers of a request. */
  headersTimeout: number;
  /** Timeout for the whole request. */
  requestTimeout: number;
  /** Time between two checks of these timeouts and those below. */
  connectionsCheckingInterval: number;
  /** An idle connection is closed after this time, since its client does not read what it requested. */
  idle: number;
  /** Maximum number of open connections; further ones are dropped. */
  maxConnections: number;
  /** The minimum time allowed for sending a response, and how many bytes each further second allows. */
  sendGrace: number;
  sendBytesPerSecond: number;
}

export interface HttpServer {
  port: number;
  /** `http://127.0.0.1:8230`, without a slash at the end. */
  url: string;
  /**
   * Stops accepting connections, lets running requests finish for at most `withinMs`, then cuts the remaining
   * connections.
   */
  close(withinMs?: number): Promise<void>;
}

const BOUNDS: ConnectionBounds = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  idle: 120_000,
  maxConnections: 16_384,
  sendGrace: 30_000,
  sendBytesPerSecond: 16_384,
};
/** Max number of open connections of one address; many agents may share an address. */
export const CONNECTIONS_PER_ADDRESS = 1_024;
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  // No keep-alive timer, which would be reset by each request: the idle timeout closes connections.
  keepAliveTimeout: 0,
  noDelay: true,
  // The application refuses a request without Host, with a problem document.
  requireHostHeader: false,
} as const;
const MAX_HEADERS = 100;
/** The keep-alive timeout in responses. Longer than the idle timeout of the usual proxies, so that they close first. */
const KEEP_ALIVE = 'timeout=75';

const PROBLEM_OF_PARSER: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Returns true if the received packet shows that the request line alone exceeds the size limit of headers. */
function isLineTooLong(packet: Buffer | undefined): boolean {
  if (packet === undefined || !/^[A-Z]+ $/.test(packet.toString('latin1', 0, packet.indexOf(' ') + 1)))
    return false;
  const end = packet.indexOf('\r\n');
  return end === -1 || end > LIMITS.maxHeaderSize / 2;
}

/** Writes a response by hand for a request that Node's parser refuses, which never reaches Express. */
function refuse(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  let code = PROBLEM_OF_PARSER[error.code ?? ''] ?? 'bad_request';
  if (code === 'headers_too_large' && isLineTooLong(error.rawPacket)) code = 'uri_too_long';
  const { status, title, description } = PROBLEMS[code];
  const requestId = crypto.randomUUID();
  const problem = { type: `/problems/${code}`, title, status, detail: description, instance: '', code };
  const body = JSON.stringify({ ...problem, request_id: requestId, errors: [] });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Returns the class `base` with another prototype for its instances. */
function withPrototype<C extends new (...args: never[]) => object>(base: C, prototype: object): C {
  function made(...args: never[]): object {
    return Reflect.construct(base, args, made);
  }
  made.prototype = prototype;
  return made as unknown as C;
}

async function closeServer(server: Server, withinMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(cut);
}

/** Listens, with limits on headers, slow requests and connections. Rejects with the system's error. */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const { app, host, port, tls, bounds, metrics } = options;
  const { idle, maxConnections, sendGrace, sendBytesPerSecond, ...timeouts } = { ...BOUNDS, ...bounds };
  let closing = false;
  const handler = (...args: Parameters<Express>) => {
    const [, response] = args;
    if (closing) response.setHeader('Connection', 'close');
    else if (response.shouldKeepAlive) response.setHeader('Keep-Alive', KEEP_ALIVE);
    // Express would create a dictionary, which takes ten times as much of the heap.
    response.locals = {};
    app(...args);
  };
  // Creates requests and responses with the prototypes that Express would set on each: V8 keeps such objects fast.
  const messages = {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
  const settings = { ...LIMITS, ...timeouts, ...messages };
  const server = tls
    ? createHttpsServer(
        { ...settings, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' },
        handler as never,
      )
    : createHttpServer(settings, handler as never);
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = maxConnections;
  const refused = metrics?.counter(
    'tidewatch_http_connections_refused_total',
    'Connections that were closed at once because their address had as many as one may.',
  );
  const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  limitConnections(server, {
    most: options.connectionsPerAddress ?? CONNECTIONS_PER_ADDRESS,
    isProxy: (address) => trusts(address, 0),
    onRefused: () => refused?.inc(),
  });
  cutIdleConnections(server, idle);
  watchConnections(server, tls ? 'secureConnection' : 'connection', {
    graceMs: sendGrace,
    bytesPerSecond: sendBytesPerSecond,
    everyMs: timeouts.connectionsCheckingInterval,
  });
  server.on('clientError', refuse as never);
  // Handles both events here: Node would answer `checkContinue` before the key is checked, and the other without a problem
  // document.
  server.on('checkContinue', handler as never);
  server.on('checkExpectation', handler as never);
  server.listen({ host, port });
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    port: bound,
    url: `${tls ? 'https' : 'http'}://${name}:${bound}`,
    async close(withinMs = 5_000) {
      if (closing) return;
      closing = true;
      await closeServer(server, withinMs);
    },
  };
}
