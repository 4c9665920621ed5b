import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { LRUCache } from 'lru-cache';

/**
 * Max number of sign-ins, confirmations and links of one key in a minute: each leaves an audit record, and a key with `read` alone
 * must not use up the audit bytes of its organization.
 */
export const MAX_SIGN_INS = 30;

/** Counts the sign-ins of each key. Bounded memory: the ten thousand keys that signed in last. */
export function createSignInLimit(clock: () => number): (keyId: string) => void {
  const windows = new LRUCache<string, { endsAt: number; count: number }>({ max: 10_000 });
  return (keyId) => {
    const now = clock();
    const known = windows.get(keyId);
    const window = known === undefined || known.endsAt <= now ? { endsAt: now + MINUTE_MS, count: 0 } : known;
    window.count += 1;
    windows.set(keyId, window);
    if (window.count <= MAX_SIGN_INS) return;
    throw new ProblemError('rate_limited', {
      detail: `The key has signed in ${MAX_SIGN_INS} times within a minute.`,
      headers: { 'Retry-After': String(Math.ceil((window.endsAt - now) / 1_000)) },
    });
  };
}
