import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { ipKeyGenerator } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';

/** Max number of refused keys of one address in a minute; further requests with a refused key get 429. */
const MAX_REFUSALS = 300;
const WINDOW_MS = MINUTE_MS;

export interface RefusalLimit {
  /** The problem for a request whose key was refused: `refusal`, or a 429 once there were too many. */
  answerTo(refusal: ProblemError, ip: string | undefined): ProblemError;
}

/**
 * Counts the refused keys of each address; of IPv6, of each /56 network, because one customer can use many addresses. Valid
 * keys are neither counted nor delayed. Remembers the ten thousand addresses that were refused last.
 */
export function createRefusalLimit(clock: () => number): RefusalLimit {
  const windows = new LRUCache<string, { endsAt: number; refusals: number }>({ max: 10_000 });
  return {
    answerTo(refusal, ip = '') {
      const now = clock();
      const address = ipKeyGenerator(ip);
      let window = windows.get(address);
      if (window === undefined || window.endsAt <= now) {
        window = { endsAt: now + WINDOW_MS, refusals: 0 };
        windows.set(address, window);
      }
      window.refusals += 1;
      if (window.refusals <= MAX_REFUSALS) return refusal;
      const retryAfter = String(Math.ceil((window.endsAt - now) / 1_000));
      return new ProblemError('too_many_refusals', { headers: { 'Retry-After': retryAfter } });
    },
  };
}
