import { hash } from 'node:crypto';

/** The state of a rate limit in its current window. */
export interface LimitState {
  /** The limit's name. */
  policy: string;
  /** The max number of requests in a window of `windowSeconds`. */
  quota: number;
  windowSeconds: number;
  /** How many requests are still allowed in the current window, which ends in `resetSeconds`. */
  remaining: number;
  resetSeconds: number;
  /** Identifies the quota where each organization or key has its own; see `partitionKey`. */
  partition?: string;
}

export interface LimitHeaders {
  RateLimit: string;
  'RateLimit-Policy': string;
}

/** The header fields RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-08. */
export function limitHeaders(state: LimitState): LimitHeaders {
  return { RateLimit: limitField(state), 'RateLimit-Policy': policyField(state) };
}

/** The field RateLimit, which changes with each request. */
export function limitField({
  policy,
  remaining,
  resetSeconds,
}: Pick<LimitState, 'policy' | 'remaining' | 'resetSeconds'>): string {
  return `"${policy}"; r=${remaining}; t=${resetSeconds}`;
}

/** The field RateLimit-Policy, the same for all requests that share a quota. */
export function policyField({
  policy,
  quota,
  windowSeconds,
  partition,
}: Pick<LimitState, 'policy' | 'quota' | 'windowSeconds' | 'partition'>): string {
  const whose = partition === undefined ? '' : `; pk=:${partition}:`;
  return `"${policy}"; q=${quota}; w=${windowSeconds}${whose}`;
}

/**
 * A structured-field byte sequence (RFC 9651) without its colons, by which a client can distinguish quotas; the id cannot
 * be derived from it.
 */
export function partitionKey(id: string): string {
  return Buffer.from(hash('sha256', id, 'hex').slice(0, 12)).toString('base64');
}

/** What a RateLimit field of `limitField` says; undefined for other texts. */
export function readLimitField(text: string): { remaining: number; resetSeconds: number } | undefined {
  const match = /; r=(\d+); t=(\d+)$/.exec(text);
  return match === null ? undefined : { remaining: Number(match[1]), resetSeconds: Number(match[2]) };
}
