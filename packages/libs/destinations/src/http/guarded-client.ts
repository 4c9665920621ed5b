import { buildConnector, Client } from 'undici';
import type { AddressGuard } from '../guard/address-guard.ts';
import {
  checkLiteral,
  guardedLookup,
  RefusedAddressError,
  type Resolve,
  UnusableNameError,
} from '../guard/guarded-lookup.ts';
import { createNameResolver } from '../guard/name-resolver.ts';

/** Timeout of an attempt, from the name lookup to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** The max number of bytes that are read of a response. */
export const MAX_ANSWER_BYTES = 64 * 1_024;

export interface GuardedClientOptions {
  guard: AddressGuard;
  /** Resolves host names. Default: `createNameResolver`. */
  resolve?: Resolve;
  /** Default: ATTEMPT_TIMEOUT_MS. */
  timeoutMs?: number;
  /** Receives the reason why a host name cannot be used. Only for the log: tenants must not learn it. */
  onUnusableName?: (error: UnusableNameError) => void;
}

/** The result of one request, with an answer that may be truncated. */
export type Exchange =
  | {
      answered: true;
      status: number;
      header(name: string): string | null;
      /** The body of the response, at most MAX_ANSWER_BYTES bytes. */
      text: string;
      /** True if `text` is the complete response. */
      whole: boolean;
    }
  | { answered: false; retryable: boolean; error: string };

/** An attempt to deliver a message. Its timeout starts when the attempt is created. */
export interface HttpAttempt {
  /** Sends `body` by POST. Never throws, follows no redirect and uses no proxy. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Exchange>;
}

export interface GuardedClient {
  /** The requests of one attempt share its timeout. */
  attempt(): HttpAttempt;
}

/** An HTTP client for URLs that tenants chose. Every request opens a new connection. */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { guard, resolve = createNameResolver(), timeoutMs = ATTEMPT_TIMEOUT_MS } = options;
  const connect = buildConnector({ lookup: guardedLookup(guard, resolve), timeout: timeoutMs });

  async function exchange(
    target: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Exchange> {
    checkLiteral(guard, target.hostname);
    signal.throwIfAborted();
    const client = new Client(target.origin, { connect, pipelining: 0, allowH2: false });
    try {
      const path = `${target.pathname}${target.search}`;
      const answer = await client.request({ method: 'POST', path, headers, body, signal });
      const { text, whole } = await readAnswer(answer.body);
      const header = (name: string) => [answer.headers[name] ?? []].flat()[0] ?? null;
      return { answered: true, status: answer.statusCode, header, text, whole };
    } finally {
      await client.destroy();
    }
  }

  return {
    attempt() {
      const signal = AbortSignal.timeout(timeoutMs);
      return {
        async post(url, headers, body) {
          try {
            return await exchange(new URL(url), { 'user-agent': 'Tidewatch', ...headers }, body, signal);
          } catch (error) {
            if (error instanceof UnusableNameError) options.onUnusableName?.(error);
            return signal.aborted
              ? { answered: false, retryable: true, error: `no answer within ${timeoutMs / 1_000} seconds` }
              : failure(error);
          }
        },
      };
    },
  };
}

/**
 * Reads up to MAX_ANSWER_BYTES. A body that breaks off counts as truncated and not as a failure, since its status is known.
 */
async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<{ text: string; whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let whole = true;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, MAX_ANSWER_BYTES - length));
      length += chunk.length;
      if (length > MAX_ANSWER_BYTES) {
        whole = false;
        break;
      }
    }
  } catch {
    whole = false;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), whole };
}

function failure(error: unknown): Exchange {
  if (error instanceof RefusedAddressError)
    return { answered: false, retryable: false, error: error.message };
  if (error instanceof UnusableNameError) return { answered: false, retryable: true, error: error.message };
  const code = (error as { code?: unknown }).code;
  const known = typeof code === 'string' ? code : 'unknown';
  // Codes of requests that cannot be sent, for an invalid header or a URL without a host.
  if (known === 'UND_ERR_INVALID_ARG' || known === 'ERR_INVALID_URL')
    return { answered: false, retryable: false, error: 'the URL or a header is invalid' };
  return { answered: false, retryable: true, error: `the connection failed (${known})` };
}
