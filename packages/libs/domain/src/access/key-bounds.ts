import { patternsCover } from '../rules/pattern-cover.ts';

/** The restrictions of a key in addition to its scopes; null: none. Times are ms. */
export interface KeyBounds {
  hosts: string[] | null;
  expires_at: number | null;
  rate_limit_per_minute: number | null;
}

/** A bound by which a new API key would be allowed more than the key that creates it. */
export interface ExceededBound {
  field: keyof KeyBounds;
  message: string;
}

/** The bounds (hosts, expiry, rate limit) of an API key that is created with a key of the bounds `own`; those not given are inherited. */
export function inheritBounds<T extends KeyBounds>(own: KeyBounds, given: T): T {
  return {
    ...given,
    hosts: given.hosts ?? own.hosts,
    expires_at: given.expires_at ?? own.expires_at,
    rate_limit_per_minute: given.rate_limit_per_minute ?? own.rate_limit_per_minute,
  };
}

/** The fields in which an API key with the bounds `other` may do more than an API key with the bounds `own`. */
export function exceededBounds(own: KeyBounds, other: KeyBounds): ExceededBound[] {
  const exceeded: ExceededBound[] = [];
  if (own.hosts !== null && (other.hosts === null || !patternsCover(own.hosts, other.hosts))) {
    const message = `Must stay within the hosts of the key that asks: ${own.hosts.join(', ')}.`;
    exceeded.push({ field: 'hosts', message });
  }
  if (exceeds(own.expires_at, other.expires_at)) {
    const end = new Date(own.expires_at as number).toISOString();
    exceeded.push({ field: 'expires_at', message: `Must not be after ${end}, when the key that asks ends.` });
  }
  if (exceeds(own.rate_limit_per_minute, other.rate_limit_per_minute)) {
    const message = `Must not be above ${own.rate_limit_per_minute}, the limit of the key that asks.`;
    exceeded.push({ field: 'rate_limit_per_minute', message });
  }
  return exceeded;
}

function exceeds(own: number | null, other: number | null): boolean {
  return own !== null && (other === null || other > own);
}
