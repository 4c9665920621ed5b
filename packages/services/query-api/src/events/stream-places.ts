import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { FairShare } from '@tidewatch/runtime/sharing/fair-share';

/** The max number of streams of one process: in all, of one organization, and of one key. */
export interface PlaceLimits {
  streams: number;
  streamsOfOrganization: number;
  streamsOfKey: number;
}

/** Counts the streams that are open or being opened. */
export interface StreamPlaces {
  /**
   * Reserves a place; returns a function that releases it, to be called once. Throws a 429 or 503 if there are too many
   * streams.
   */
  take(organizationId: string, keyId: string): () => void;
  taken(): number;
}

const COME_BACK = { 'Retry-After': '10' };

export function createPlaces(limits: PlaceLimits): StreamPlaces {
  const ofKeys = new Map<string, number>();
  // No request waits for a place, because streams last long. A quarter of the places is reserved for organizations with
  // few.
  const share = new FairShare({
    capacity: limits.streams,
    maxPerOrganization: limits.streamsOfOrganization,
    reserve: Math.floor(limits.streams / 4),
    smallShare: Math.ceil(limits.streams / 80),
    maxWaitingPerOrganization: 0,
    maxWaitMs: 0,
  });
  return {
    take(organizationId, keyId) {
      const ofKey = ofKeys.get(keyId) ?? 0;
      if (ofKey >= limits.streamsOfKey) throw tooMany('key', limits.streamsOfKey);
      const holding = share.tryTake(organizationId, 1);
      if (holding === undefined && share.isOrganizationFull(organizationId, 1))
        throw tooMany('organization', limits.streamsOfOrganization);
      if (holding === undefined) throw new ProblemError('streams_full', { headers: COME_BACK });
      ofKeys.set(keyId, ofKey + 1);
      return () => {
        holding.release();
        const left = (ofKeys.get(keyId) ?? 1) - 1;
        if (left === 0) ofKeys.delete(keyId);
        else ofKeys.set(keyId, left);
      };
    },
    taken: () => share.counters().heldUnits,
  };
}

function tooMany(whose: 'key' | 'organization', max: number): ProblemError {
  const detail = `The ${whose} has ${max} event streams open here, which is as many as one process holds for it.`;
  return new ProblemError('too_many_streams', { detail, headers: COME_BACK });
}
