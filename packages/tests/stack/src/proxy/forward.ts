import { randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { INGEST_ROUTE } from '@tidewatch/contracts/ingest/ingest-route';
import { AGENT_ROUTES } from '@tidewatch/contracts/ingest/ingest-routes';
import { ProblemError, problemDocument } from '@tidewatch/contracts/problems/problem';
import { createProxyServer } from 'http-proxy-3';
import { createGatewayAffinity } from './gateway-affinity.ts';

export interface ForwardOptions {
  gateways: readonly string[];
  api: readonly string[];
  /** Answers requests of the proxy's own paths; returns null for a request that must be forwarded. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface Forwarding {
  server: Server;
  /** Ends event streams, which would otherwise last until one of their sides closes them. */
  endStreams(): void;
}

const nameOf = (method: string, path: string) => `${method.toUpperCase()} ${path}`;
const OF_OTHER_AGENTS = new Set(AGENT_ROUTES.map(({ method, path }) => nameOf(method, path)));
const EVENTS = '/api/v1/events';
const PATIENCE_MS = 35_000;
/** The keep-alive timeout of the services, so that clients seldom use a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Forwards requests from one address to gateways and query APIs; a process that is unavailable is skipped for a second. */
export function createForwarding({ gateways, api, answer }: ForwardOptions): Forwarding {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, keepAliveMsecs: 5_000 });
  const proxy = createProxyServer({ agent, xfwd: true, proxyTimeout: PATIENCE_MS, timeout: PATIENCE_MS });
  // Streams have connections of their own and no timeout.
  const streaming = createProxyServer({ agent: new Agent({ maxSockets: Infinity }), xfwd: true });
  const streams = new Set<Socket>();
  // Ends the response if its upstream ends in the middle, so that the client does not wait for the rest.
  for (const each of [proxy, streaming])
    each.on('proxyRes', (from, _request, response) => {
      from.once('close', () => {
        if (!from.complete) response.destroy();
      });
    });
  const affinity = createGatewayAffinity(gateways);
  const away = new Map<string, number>();
  let turn = 0;

  function next(upstreams: readonly string[]): string {
    turn += 1;
    for (let tries = 0; tries < upstreams.length; tries += 1) {
      const url = upstreams[(turn + tries) % upstreams.length] as string;
      if ((away.get(url) ?? 0) <= performance.now()) return url;
    }
    return upstreams[turn % upstreams.length] as string;
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (answer(request, response)) return;
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const target = OF_OTHER_AGENTS.has(nameOf(method, path))
      ? affinity.of(request.socket.remoteAddress)
      : next(path === INGEST_ROUTE.path ? gateways : api);
    if (path === EVENTS) {
      streams.add(request.socket);
      response.once('close', () => streams.delete(request.socket));
    }
    (path === EVENTS ? streaming : proxy).web(request, response, { target }, (error) => {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ECONNREFUSED') {
        away.set(target, performance.now() + 1_000);
        affinity.leaveOut(target);
      }
      refuse(response);
    });
  });
  return {
    server,
    endStreams() {
      for (const socket of streams) socket.destroy();
    },
  };
}

/** Answers a 502, after which the client can retry safely, because no upstream has acknowledged the request. */
function refuse(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const requestId = randomUUID();
  const problem = problemDocument(new ProblemError('bad_gateway'), { instance: '', requestId });
  response.writeHead(problem.status, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Retry-After': '1',
    'X-Request-Id': requestId,
  });
  response.end(JSON.stringify(problem));
}
