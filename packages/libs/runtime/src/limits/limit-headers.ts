import { hash } from 'node:crypto';

/** What a limit by windows tells of itself. */
export interface LimitTold {
  /** The limit's name. */
  policy: string;
  /** What may be asked for in a window, and how many seconds that is. */
  quota: number;
  windowSeconds: number;
  /** What is left, and until when. */
  remaining: number;
  resetSeconds: number;
  /** Tells whose quota it is, where each has its own; see `partitionKey`. */
  partition?: string;
}

export interface LimitHeaders {
  RateLimit: string;
  'RateLimit-Policy': string;
}

/** The header fields RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-08. */
export function limitHeaders(told: LimitTold): LimitHeaders {
  const { policy, quota, windowSeconds, remaining, resetSeconds, partition } = told;
  const whose = partition === undefined ? '' : `; pk=:${partition}:`;
  return {
    RateLimit: `"${policy}"; r=${remaining}; t=${resetSeconds}`,
    'RateLimit-Policy': `"${policy}"; q=${quota}; w=${windowSeconds}${whose}`,
  };
}

/** A byte sequence of RFC 9651, without its colons, by which a client tells quotas apart and from which no id is read. */
export function partitionKey(id: string): string {
  return Buffer.from(hash('sha256', id, 'hex').slice(0, 12)).toString('base64');
}
