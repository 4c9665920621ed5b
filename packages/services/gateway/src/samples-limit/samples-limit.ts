import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { limitHeaders } from '@tidewatch/runtime/limits/limit-headers';
import type { TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import { LRUCache } from 'lru-cache';

/** Bounds the samples of each organization. */
export interface SamplesLimit {
  /**
   * Takes `samples` from the organization's limit; rejects with the 429. Returns undefined, not a promise, if the current
   * lease suffices, which is nearly always the case.
   */
  take(organizationId: string, samples: number): Promise<void> | undefined;
}

export interface SamplesLimitOptions {
  /** Samples of an organization in a minute. */
  perMinute: number;
  bucket: TokenBucket;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
}

/** The remaining lease of an organization, and its last refusal. */
interface Lease {
  left: number;
  /** The running request for a lease, which later requests wait for instead of leasing again. */
  leasing: Promise<void> | null;
  refused: { need: number; until: number };
}

/** A gateway leases the tokens of this many seconds in addition to those that a request needs. */
const BLOCK_SECONDS = 1;
const MAX_LEASES = 10_000;

/**
 * Limits samples by a bucket that several gateways share. Each leases tokens in blocks, so that few requests have to ask
 * the bucket.
 */
export function createSamplesLimit({ perMinute, bucket, monotonic }: SamplesLimitOptions): SamplesLimit {
  const leases = new LRUCache<string, Lease>({ max: MAX_LEASES });
  const block = Math.ceil((perMinute * BLOCK_SECONDS) / 60);

  function refusal(waitMs: number): ProblemError {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    const detail = `The organization has used up its ${perMinute} samples a minute. Those of this request are taken in ${seconds} s.`;
    const limit = limitHeaders({
      policy: 'samples',
      quota: perMinute,
      windowSeconds: 60,
      remaining: 0,
      resetSeconds: seconds,
    });
    const headers = { ...limit, 'Retry-After': String(seconds) };
    return new ProblemError('samples_limited', { detail, headers });
  }

  async function lease(organizationId: string, held: Lease, need: number): Promise<void> {
    const wait = held.refused.until - monotonic();
    if (wait > 0 && need >= held.refused.need) throw refusal(wait);
    const grant = await bucket.take(organizationId, need - held.left, block);
    if ('granted' in grant) {
      held.left += grant.granted - need;
      return;
    }
    held.refused = { need, until: monotonic() + grant.waitMs };
    throw refusal(grant.waitMs);
  }

  /** Leases tokens, one lease at a time, because those of one lease may suffice for the requests that wait. */
  async function takeSlowly(organizationId: string, held: Lease, need: number): Promise<void> {
    while (held.leasing !== null) await held.leasing.catch(() => undefined);
    if (held.left >= need) {
      held.left -= need;
      return;
    }
    held.leasing = lease(organizationId, held, need).finally(() => {
      held.leasing = null;
    });
    await held.leasing;
  }

  return {
    take(organizationId, need) {
      let held = leases.get(organizationId);
      if (held === undefined) {
        held = { left: 0, leasing: null, refused: { need: 0, until: 0 } };
        leases.set(organizationId, held);
      }
      if (held.left < need || held.leasing !== null) return takeSlowly(organizationId, held, need);
      held.left -= need;
      return undefined;
    },
  };
}
