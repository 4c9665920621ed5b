import type { Metrics } from '@tidewatch/runtime/metrics';
import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { exposeShare } from '@tidewatch/runtime/sharing/share-metrics';

/** Connections that stay free of one organization, however much it asks. */
const KEPT_FOR_OTHERS = 2;
const MAX_WAITING = 5_000;
const MAX_WAIT_MS = 20_000;

/** Divides the connections of the query API's pool between organizations, which take turns. */
export interface DatabaseShares {
  shareOf(max: number, of: 'statements' | 'transactions'): FairShare;
  expose(metrics: Metrics): void;
}

export function createDatabaseShares(): DatabaseShares {
  const shares = new Map<string, FairShare>();
  return {
    shareOf(max, of) {
      const share = new FairShare({
        ...{ capacity: max, maxPerOrganization: Math.max(1, max - KEPT_FOR_OTHERS) },
        ...{ maxWaitingPerOrganization: MAX_WAITING, maxWaitMs: MAX_WAIT_MS },
      });
      shares.set(`database ${of}`, share);
      return share;
    },
    expose(metrics) {
      for (const [resource, share] of shares) exposeShare(metrics, resource, share);
    },
  };
}
