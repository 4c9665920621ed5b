import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { LRUCache } from 'lru-cache';

/**
 * Max number of sign-ins, confirmations and links of one key in a minute: each leaves an audit record, and a key with `read` alone
 * must not use up the audit bytes of its organization.
 */
export const MAX_SIGN_INS = 30;

/** Max lifetime of a session of a user of single sign-on, ms: a user who has left the company loses access within half a day. */
export const PERSON_SESSION_MS = 12 * HOUR_MS;

/** Max size of the body of a sign-in, bytes: it is read before anybody is known. */
export const MAX_SIGN_IN_BYTES = 4_096;

/**
 * Counts the sign-ins of each key, or of each address; throws 429 for more than `max` in a minute. Bounded memory: the ten thousand that
 * signed in last.
 */
export function createSignInLimit(
  clock: () => number,
  max = MAX_SIGN_INS,
  whose: 'key' | 'address' = 'key',
): (who: string) => void {
  const windows = new LRUCache<string, { endsAt: number; count: number }>({ max: 10_000 });
  return (who) => {
    const now = clock();
    const known = windows.get(who);
    const window = known === undefined || known.endsAt <= now ? { endsAt: now + MINUTE_MS, count: 0 } : known;
    window.count += 1;
    windows.set(who, window);
    if (window.count <= max) return;
    throw new ProblemError('rate_limited', {
      detail: `The ${whose} has signed in ${max} times within a minute.`,
      headers: { 'Retry-After': String(Math.ceil((window.endsAt - now) / 1_000)) },
    });
  };
}
