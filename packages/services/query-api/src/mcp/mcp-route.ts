import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import { type Authentication, keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import type { Request, Response, Router } from 'express';
import { clientGone } from '../http/client-gone.ts';
import { readJson } from '../http/json-body.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import type { Protocol } from './mcp-protocol.ts';
import { originFault } from './origin-fault.ts';

const MCP_PATH = '/mcp';
/** The max size of a message, bytes. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** The endpoints that `addMcpRoute` adds. There are no sessions, so that there is nothing to GET or DELETE. */
export const MCP_ENDPOINTS: readonly Endpoint[] = [{ method: 'post', path: MCP_PATH }];

export interface McpRouteOptions extends Pick<QueryApiOptions, 'access' | 'clock' | 'metrics' | 'logger'> {
  config: Pick<QueryApiOptions['config'], 'publicUrl'>;
  /** The handlers of the API by the operations of their routes. */
  handlers: Readonly<Record<string, unknown>>;
}

/**
 * Adds the server of the Model Context Protocol: streamable HTTP without sessions, so that any process answers any message. Each
 * message counts as a request of its key, and one message is one call of a tool at most.
 */
export function addMcpRoute(
  router: Router,
  authenticate: Authentication['authenticate'],
  options: McpRouteOptions,
): void {
  const { access, config } = options;
  let opened: Promise<Protocol> | undefined;

  /** Loads the libraries at the first message, since most processes never get one. */
  function open(): Promise<Protocol> {
    opened ??= openProtocol(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  function requireOwnOrigin(request: Request, _response: Response, next: (error?: unknown) => void): void {
    const { publicUrl } = config;
    const fault = originFault({
      origin: request.get('Origin'),
      reached: access.originOf(request),
      publicUrl,
    });
    next(fault === undefined ? undefined : new ProblemError('cross_site', { detail: fault }));
  }

  router.post(MCP_PATH, requireOwnOrigin, authenticate('read'), async (request, response) => {
    const key = keyOf(response);
    if (key.session !== undefined)
      throw new ProblemError('key_missing', {
        detail: 'Send a key: the session of a browser is not accepted.',
      });
    const message = await readJson(request, ['application/json'], MAX_MESSAGE_BYTES);
    if (Array.isArray(message))
      throw faultProblem('body', '', 'unsupported', 'Must be a single message: batches are not supported.');
    const protocol = await open();
    const answer = await protocol({
      headers: request.headers,
      message,
      caller: { key, address: request.ip },
      signal: clientGone(response),
    });
    response.status(answer.status);
    const type = answer.headers.get('Content-Type');
    if (type !== null) response.setHeader('Content-Type', type);
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

async function openProtocol(options: McpRouteOptions): Promise<Protocol> {
  const [{ createToolBox }, { createProtocol }] = await Promise.all([
    import('./tool-box.ts'),
    import('./mcp-protocol.ts'),
  ]);
  return createProtocol(createToolBox(options), options.logger);
}
