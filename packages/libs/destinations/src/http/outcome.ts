import type { Outcome } from '../sender.ts';
import type { Exchange } from './guarded-client.ts';

/** Statuses that may pass: the request was too slow, too much, or met a fault of the server. */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * What an exchange amounts to, judged by its status alone. `word` is what the provider says about a refusal, where that
 * is known to hold no secret; `now` in ms.
 */
export function outcomeOf(exchange: Exchange, now: number, word: string | null = null): Outcome {
  if (!exchange.answered) return failed(exchange.error, { retryable: exchange.retryable });
  const { status } = exchange;
  if (status >= 200 && status < 300) return { status: 'delivered', reference: null };
  const redirect = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return failed(`answered ${status}${word === null ? '' : ` (${word})`}${redirect}`, {
    retryable: mayPass(status),
    retryAfterMs: retryAfter(exchange.header('retry-after'), now),
  });
}

/** A failed attempt. */
export function failed(
  error: string,
  { retryable, retryAfterMs = null }: { retryable: boolean; retryAfterMs?: number | null },
): Outcome & { status: 'failed' } {
  return { status: 'failed', retryable, retryAfterMs, error };
}

/** Retry-After in ms from `now`, as seconds or as a date (RFC 9110, 10.2.3); null where there is none to be read. */
export function retryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
