import { createServer, type IncomingMessage, request } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { Route } from '@tidewatch/contracts/document/route';
import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import type { KeyRecord, RequiredScope } from '@tidewatch/contracts/values/access';
import { hasScope } from '@tidewatch/runtime/auth/authentication';
import { createStrictExpress } from '@tidewatch/runtime/http/strict-express';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { bindOrganization } from '../../bind-organization.ts';
import { translateDatabaseFailure } from '../../http/database-failure.ts';
import { mountRoutes } from '../../http/mount-routes.ts';

/** Who calls a route: an admitted key, from an address. */
export interface Caller {
  key: KeyRecord;
  address: string | undefined;
}

/** A request to a route; the path has its parameters filled in. */
export interface RouteRequest {
  route: Route;
  path: string;
  query: URLSearchParams;
  headers?: Readonly<Record<string, string>>;
  /** The JSON value of the body; undefined for none. */
  body?: unknown;
}

export interface RouteCaller {
  /**
   * Returns the JSON value that the route answers. Rejects with what its handler throws, which is a ProblemError for expected
   * failures, and with a 422 for an answer of more than 4 MiB. Aborting `signal` ends a read; a change is completed.
   */
  call(caller: Caller, request: RouteRequest, signal: AbortSignal): Promise<unknown>;
}

/** The max size of an answer of a route, bytes; models are shown a small part of it. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** One call that is under way on a connection. */
interface Calling {
  caller: Caller;
  fail(error: unknown): void;
}

/**
 * Calls routes of the contract inside the process, by HTTP over streams in memory: the same handlers answer, with the
 * validation, row-level security, shares and audit records of any other request.
 */
export function createRouteCaller(
  routes: readonly Route[],
  handlers: Readonly<Record<string, unknown>>,
): RouteCaller {
  const underWay = new WeakMap<Duplex, Calling>();
  const callingOf = ({ socket }: Request) => underWay.get(socket) as Calling;
  const server = createServer(createRoutesApp(routes, handlers, callingOf));

  async function send({ address }: Caller, asked: RouteRequest, near: Duplex, signal?: AbortSignal) {
    const { route, path, query, headers, body } = asked;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({
        createConnection: () => near,
        method: route.method.toUpperCase(),
        path: `${path}?${query}`,
        headers: {
          host: 'in-process',
          connection: 'close',
          ...(address !== undefined && { 'x-forwarded-for': address }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
        ...(signal && { signal }),
      });
      sent.once('response', resolve).on('error', reject).end(payload);
    });
    const answered = await readBounded(answer);
    return answered === '' ? null : (JSON.parse(answered) as unknown);
  }

  return {
    call(caller, asked, signal) {
      const [near, far] = duplexPair();
      const reads = asked.route.scope === 'read';
      return new Promise((resolve, reject) => {
        underWay.set(far, { caller, fail: reject });
        server.emit('connection', far);
        send(caller, asked, near, reads ? signal : undefined).then(resolve, reject);
      });
    },
  };
}

/** The text of an answer. Throws 422 for one that would hold up the process while it is shortened. */
async function readBounded(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) {
      const message =
        'Would answer too much: ask for fewer metrics, hosts or entries, a shorter range or a longer step.';
      throw faultProblem('query', '', 'too_large', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function createRoutesApp(
  routes: readonly Route[],
  handlers: Readonly<Record<string, unknown>>,
  callingOf: (request: Request) => Calling,
) {
  const admit =
    (scope: RequiredScope): RequestHandler =>
    (request, response, next) => {
      const { key } = callingOf(request).caller;
      if (!hasScope(key, scope))
        throw new ProblemError('scope_missing', { detail: `The key lacks the scope ${scope}.` });
      response.locals.key = key;
      next();
    };
  const app = createStrictExpress();
  // The address of the client, which the process itself names: nobody else reaches this server.
  app.set('trust proxy', true);
  const router = express.Router({ caseSensitive: true, strict: true });
  const own = Object.fromEntries(routes.map(({ operationId }) => [operationId, handlers[operationId]]));
  mountRoutes(router, bindOrganization(admit), routes, own);
  app.use(router);
  app.use((_request: Request) => {
    throw new ProblemError('not_found');
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    callingOf(request).fail(translateDatabaseFailure(error));
    response.destroy();
  });
  return app;
}
