import { problemOf, UnreachableError, unreachable } from './problem.ts';
import { type Patience, waitBeforeRetry } from './retry.ts';
import { sleep } from './sleep.ts';

export interface TransportOptions extends Patience {
  /** Timeout of one attempt, including its whole response, milliseconds. */
  timeoutMs: number;
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** In [0, 1). */
  random(): number;
  /** A `fetch` in place of the runtime's own, such as one that uses a proxy. */
  fetch?: typeof fetch;
}

/** A request whose body can be sent more than once. */
interface Letter {
  method: string;
  url: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
}

const NO_BODY = new Set([204, 205, 304]);

/** POST requests that are idempotent. */
const REPEATABLE_POST = /\/api\/v1\/(?:ingest|query|alerts\/rules\/preview)$/;

/**
 * `fetch` with a timeout for each attempt, and retries where they are safe. Responses are read whole; redirects are not
 * followed, since they would carry the key. Throws UnreachableError.
 */
export function createTransport(options: TransportOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url, headers, signal } = request;
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const letter = { method, url, headers, body, signal };
    const repeatable = isRepeatable(method, url);
    let lost = false;
    for (let earlier = 0; ; earlier += 1) {
      const outcome = await tryOnce(letter, options);
      const failure = outcome instanceof UnreachableError ? null : await read(outcome, options.clock());
      const attempt = {
        method,
        repeatable,
        earlier,
        status: outcome instanceof UnreachableError ? null : outcome.status,
        code: failure?.code ?? null,
        retryAfterMs: failure?.retryAfterMs ?? null,
      };
      const wait = waitBeforeRetry(attempt, options, options.random());
      if (wait === null) {
        if (outcome instanceof UnreachableError) throw outcome;
        // The earlier attempt, whose response was lost, has deleted it.
        return lost && method === 'DELETE' && outcome.status === 404
          ? new Response(null, { status: 204 })
          : outcome;
      }
      lost ||= outcome instanceof UnreachableError;
      await sleep(wait, signal);
    }
  };
}

function isRepeatable(method: string, url: string): boolean {
  return method === 'POST' ? REPEATABLE_POST.test(new URL(url).pathname) : method !== 'PATCH';
}

async function tryOnce(
  letter: Letter,
  { timeoutMs, fetch: send = fetch }: TransportOptions,
): Promise<Response | UnreachableError> {
  const { method, headers, body, signal } = letter;
  try {
    const response = await send(letter.url, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const content = NO_BODY.has(response.status) ? null : await response.arrayBuffer();
    return new Response(content, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return unreachable(error, letter.url);
  }
}

/** The problem document of a response, null where it has none. */
async function read(response: Response, now: number) {
  return response.ok || response.status === 304
    ? null
    : problemOf(response, await response.clone().text(), now);
}
