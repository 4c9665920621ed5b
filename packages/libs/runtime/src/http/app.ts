import { randomUUID } from 'node:crypto';
import { holdsEllipsis } from '@tidewatch/contracts/problems/placeholder';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response, Router } from 'express';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { allowedMethods, type Endpoint, literalPaths } from './allowed-methods.ts';
import { clientAddress, type Trusts } from './client-address.ts';
import { requestId, sendProblem } from './problem-response.ts';
import { createStrictExpress } from './strict-express.ts';

/** A POST of a path without parameters. */
export interface FirstRoute {
  path: string;
  handle: RequestHandler;
}

export interface AppOptions {
  /** The routers, in the order in which they receive requests. */
  routers: readonly Router[];
  /** Routes that stand before all routers, since they serve most requests. */
  first?: readonly FirstRoute[] | undefined;
  /** The endpoints of the routers; other methods of their paths are 405. */
  endpoints: readonly Endpoint[];
  logger: Logger;
  metrics: Metrics;
  /** Express' `trust proxy`: hops or CIDRs whose X-Forwarded-For counts. None by default. */
  trustProxy?: number | string[] | undefined;
  /** Answers a path that does not exist as a page; returns false where the problem document is to be sent. */
  answerNotFound?: ((request: Request, response: Response) => boolean) | undefined;
}

type Observe = (request: Request, response: Response) => void;

/** Counts each response by route pattern, never by path, so that the number of series stays bounded. */
function observe(metrics: Metrics): Observe {
  const durations = metrics.histogram(
    'tidewatch_http_request_duration_seconds',
    'Time from the request line to the end of the answer.',
    ['method', 'route', 'status'],
  );
  const children = new Map<string, { observe(seconds: number): void }>();
  return (request, response) => {
    const began = performance.now();
    response.setHeader('X-Request-Id', randomUUID());
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    response.on('close', () => {
      const path: unknown = request.route?.path;
      const route = typeof path === 'string' ? request.baseUrl + path : 'none';
      const method = route === 'none' ? 'any' : request.method;
      const status = response.writableFinished ? response.statusCode : 499;
      const id = `${method} ${route} ${status}`;
      let child = children.get(id);
      if (child === undefined) {
        child = durations.labels({ method, route, status });
        children.set(id, child);
      }
      child.observe((performance.now() - began) / 1_000);
    });
  };
}

/** Makes `request.ip` the address of the client as trusted proxies report it. */
function answerAddress(app: Express): void {
  const trusts: Trusts = app.get('trust proxy fn');
  Object.defineProperty(app.request, 'ip', {
    configurable: true,
    enumerable: true,
    get(this: Request): string | undefined {
      return clientAddress(this.socket.remoteAddress, this.headers['x-forwarded-for'], trusts);
    },
  });
}

/** Checks that Node leaves to the application, because Node's own responses are not problem documents. */
function checkProtocol(request: Request): void {
  if (request.headers.host === undefined && request.httpVersionMajor === 1 && request.httpVersionMinor === 1)
    throw new ProblemError('bad_request', { detail: 'A request of HTTP/1.1 must name its Host.' });
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ProblemError('expectation_failed');
}

/** Keeps paths without parameters from being matched by routes with parameters; see `literalPaths`. */
function keepToLiteralPaths(endpoints: readonly Endpoint[]): RequestHandler {
  const paths = literalPaths(endpoints);
  return (request, response, next) => {
    const allowed = paths.get(request.path);
    if (allowed === undefined || allowed.includes(request.method)) return next();
    const Allow = allowed.join(', ');
    if (request.method !== 'OPTIONS') throw new ProblemError('method_not_allowed', { headers: { Allow } });
    response.set({ Allow }).type('text').send(Allow);
  };
}

/**
 * Refuses paths with a double or trailing slash or percent-encoding, so that each resource has one path and passes the same
 * middleware. `slashed` are the paths of endpoints that end with a slash.
 */
function requireOneSpelling({ path }: Request, slashed: ReadonlySet<string>): void {
  const endsOtherwise = path.length > 1 && path.endsWith('/') && !slashed.has(path);
  const isOther = path.includes('%') || path.includes('//') || endsOtherwise;
  if (!isOther) return;
  if (holdsEllipsis(path))
    throw new ProblemError('not_found', {
      detail: 'The path contains "…", the placeholder of an example. Replace it with an actual value.',
    });
  throw new ProblemError('not_found', {
    detail:
      'There is nothing at this path: paths have no double or trailing slash, and nothing in them is percent-encoded.',
  });
}

/** Runs the checks of every request in one middleware, since Express takes some microseconds for each. */
function receive({ endpoints }: AppOptions, observed: Observe): RequestHandler {
  const keptToLiteralPaths = keepToLiteralPaths(endpoints);
  const slashed = new Set(endpoints.map(({ path }) => path).filter((path) => path.endsWith('/')));
  return (request, response, next) => {
    observed(request, response);
    checkProtocol(request);
    requireOneSpelling(request, slashed);
    keptToLiteralPaths(request, response, next);
  };
}

/** Runs the checks of `receive` that a request to exactly this path can fail, then the handler. */
function receiveFirst(handle: RequestHandler, observed: Observe): RequestHandler {
  return (request, response, next) => {
    observed(request, response);
    checkProtocol(request);
    return handle(request, response, next);
  };
}

function isBadAddress(error: unknown): boolean {
  return error instanceof URIError || (error as { status?: unknown } | null)?.status === 400;
}

function answerErrors({ logger, answerNotFound }: AppOptions): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      if (!response.writableFinished) response.destroy();
      return;
    }
    let problem = error instanceof ProblemError ? error : undefined;
    if (isBadAddress(error)) problem ??= new ProblemError('not_found');
    if (problem === undefined) {
      const where = { requestId: requestId(response), method: request.method, route: request.route?.path };
      logger.error({ ...where, err: error }, 'request failed with an unexpected error; answered 500');
      problem = new ProblemError('internal_error');
    }
    if (problem.code === 'not_found' && answerNotFound?.(request, response)) return;
    sendProblem(request, response, problem);
  };
}

/**
 * Creates the Express application around the routers: request ids, durations, problem documents for every failure, 404 for
 * unknown paths, and 405 with Allow for known paths with another method.
 */
export function createApp(options: AppOptions): Express {
  const app = createStrictExpress();
  app.set('trust proxy', options.trustProxy ?? false);
  answerAddress(app);
  const observed = observe(options.metrics);
  for (const { path, handle } of options.first ?? []) app.post(path, receiveFirst(handle, observed));
  app.use(receive(options, observed));
  for (const router of options.routers) app.use(router);
  app.use((request) => {
    const allowed = allowedMethods(options.endpoints, request.path);
    if (allowed.length === 0)
      throw new ProblemError('not_found', { detail: 'There is nothing at this path.' });
    throw new ProblemError('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
  });
  app.use(answerErrors(options));
  return app;
}
