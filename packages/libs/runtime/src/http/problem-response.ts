import { type ProblemError, problemDocument } from '@tidewatch/contracts/problems/problem';
import { PROBLEMS } from '@tidewatch/contracts/problems/problem-codes';
import type { Request, Response } from 'express';

/** A rejected body of up to this size is read to its end, so that the connection can be reused. */
const REUSE_BYTES = 64 * 1024;
/**
 * Of a larger body, up to this many bytes are discarded after the response was sent, so that the client can read the
 * response.
 */
const DISCARD_BYTES = 4 * 1024 * 1024;
const DISCARD_MS = 1_000;

export function requestId(response: Response): string {
  return String(response.getHeader('X-Request-Id') ?? '');
}

function pathOf(request: Request): string {
  const url = request.originalUrl;
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function hasLargeUnreadBody(request: Request): boolean {
  if (request.complete || request.destroyed) return false;
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined ||
    (length !== undefined && Number(length) > REUSE_BYTES)
  );
}

/**
 * Ends the response and the connection once the client has sent its whole body, or the limit of discarded bytes is
 * reached.
 */
function endAfterDiscarding(request: Request, response: Response): void {
  let discarded = 0;
  const end = () => {
    clearTimeout(timer);
    request.removeAllListeners('data');
    request.pause();
    if (!response.writableEnded) response.end();
  };
  const timer = setTimeout(end, DISCARD_MS);
  timer.unref();
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARD_BYTES) end();
  });
  request.once('end', end);
  request.once('error', end);
  request.once('close', end);
  request.resume();
}

/** The problem document of a refused request, as text. */
export function problemText(request: Request, response: Response, error: ProblemError): string {
  return JSON.stringify(
    problemDocument(error, { instance: pathOf(request), requestId: requestId(response) }),
  );
}

/** Answers with `application/problem+json` (RFC 9457). An unread body is discarded up to a limit. */
export function sendProblem(request: Request, response: Response, error: ProblemError): void {
  response.statusCode = PROBLEMS[error.code].status;
  for (const [name, value] of Object.entries(error.headers)) {
    // If the field already contains another limit, both are joined as a list (RFC 9651).
    const existing = name.startsWith('RateLimit') ? response.getHeader(name) : undefined;
    response.setHeader(name, existing === undefined ? value : `${existing}, ${value}`);
  }
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  endRefusal(request, response, Buffer.from(problemText(request, response, error)));
}

/** Ends the response of a refused request, whose status and type are set. An unread body is discarded up to a limit. */
export function endRefusal(request: Request, response: Response, body: Uint8Array): void {
  response.setHeader('Content-Length', body.length);
  // Closes the connection, because the client may still send the body, which would look like the next request.
  if (request.headers.expect !== undefined) response.setHeader('Connection', 'close');
  if (!hasLargeUnreadBody(request)) {
    response.end(request.method === 'HEAD' ? undefined : body);
    return;
  }
  response.setHeader('Connection', 'close');
  response.write(body);
  endAfterDiscarding(request, response);
}
