import { ProblemError } from '@tidewatch/contracts/values/problem';

/** How many streams one process holds, in all and for one key. */
export interface PlaceLimits {
  streams: number;
  streamsOfKey: number;
}

/** Counts the streams that are open or about to be. */
export interface StreamPlaces {
  /** Throws the 429 or 503 where there is no room. */
  take(keyId: string): void;
  give(keyId: string): void;
  taken(): number;
}

const COME_BACK = { 'Retry-After': '10' };

export function createPlaces(limits: PlaceLimits): StreamPlaces {
  const ofKeys = new Map<string, number>();
  let all = 0;
  return {
    take(keyId) {
      const ofKey = ofKeys.get(keyId) ?? 0;
      if (ofKey >= limits.streamsOfKey) throw new ProblemError('too_many_streams', { headers: COME_BACK });
      if (all >= limits.streams) throw new ProblemError('streams_full', { headers: COME_BACK });
      ofKeys.set(keyId, ofKey + 1);
      all += 1;
    },
    give(keyId) {
      const left = (ofKeys.get(keyId) ?? 1) - 1;
      if (left === 0) ofKeys.delete(keyId);
      else ofKeys.set(keyId, left);
      all -= 1;
    },
    taken: () => all,
  };
}
