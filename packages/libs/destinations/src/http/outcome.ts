import type { Outcome } from '../notice.ts';
import type { Exchange } from './guarded-client.ts';

/** Statuses that may succeed on a retry: timeout, rate limit, server error. */
function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * The outcome of an exchange, decided by its status. `errorCode` is the provider's code of a refusal, passed only if it
 * cannot contain a secret; `now` in ms.
 */
export function outcomeOf(exchange: Exchange, now: number, errorCode: string | null = null): Outcome {
  if (!exchange.answered) return failed(exchange.error, { retryable: exchange.retryable });
  const { status } = exchange;
  if (status >= 200 && status < 300) return { status: 'delivered', reference: null };
  const redirect = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return failed(`answered ${status}${errorCode === null ? '' : ` (${errorCode})`}${redirect}`, {
    retryable: isRetryable(status),
    retryAfterMs: retryAfter(exchange.header('retry-after'), now),
  });
}

/** The outcome of a failed attempt. */
export function failed(
  error: string,
  { retryable, retryAfterMs = null }: { retryable: boolean; retryAfterMs?: number | null },
): Outcome & { status: 'failed' } {
  return { status: 'failed', retryable, retryAfterMs, error };
}

/** Retry-After in ms from `now`, as seconds or as a date (RFC 9110, 10.2.3); null if the header is absent or invalid. */
export function retryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
