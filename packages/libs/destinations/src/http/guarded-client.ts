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

/** Longest that an attempt lasts, from looking the name up to the last byte that is read. */
export const EXCHANGE_MS = 10_000;
/** Most that is read of an answer. */
export const MAX_ANSWER = 64 * 1_024;

export interface GuardedClientOptions {
  guard: AddressGuard;
  /** How names are resolved. Default: by `createNameResolver`. */
  resolve?: Resolve;
  /** Default: EXCHANGE_MS. */
  timeoutMs?: number;
  /** Gets names that lead nowhere with the reason, for the operator alone. */
  onUnusableName?: (error: UnusableNameError) => void;
}

/** What came of a request. An answer may be cut, or end before its end. */
export type Exchange =
  | {
      answered: true;
      status: number;
      header(name: string): string | null;
      /** At most MAX_ANSWER bytes. */
      text: string;
      /** Whether `text` is the whole answer. */
      whole: boolean;
    }
  | { answered: false; retryable: boolean; error: string };

/** One attempt to tell somebody something, whose time is running. */
export interface HttpAttempt {
  /** Sends `body` by POST; never throws, follows no redirect and asks no proxy. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Exchange>;
}

export interface GuardedClient {
  /** All that is sent within the attempt has EXCHANGE_MS together. */
  attempt(): HttpAttempt;
}

/** An HTTP client for addresses that somebody else chose. Every request has a connection of its own. */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { guard, resolve = createNameResolver(), timeoutMs = EXCHANGE_MS } = options;
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
      const { text, whole } = await readStart(answer.body);
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

/** The beginning of an answer; what breaks off counts as cut, since its status is known by then. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<{ text: string; whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let whole = true;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, MAX_ANSWER - length));
      length += chunk.length;
      if (length > MAX_ANSWER) {
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
  // Undici's own word for a request that cannot be sent: a bad header, an address without a host.
  if (known === 'UND_ERR_INVALID_ARG' || known === 'ERR_INVALID_URL')
    return { answered: false, retryable: false, error: 'the address or a header cannot be sent' };
  return { answered: false, retryable: true, error: `the connection failed (${known})` };
}
