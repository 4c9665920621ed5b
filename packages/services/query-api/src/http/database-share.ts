import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { exposeShare } from '@tidewatch/runtime/sharing/share-metrics';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';

/** The number of connections that are reserved for organizations using at most one. */
const RESERVE = 3;
const MAX_WAITING = 5_000;
const MAX_WAIT_MS = 20_000;

/** Divides the connections of the query API's pools between organizations, which take turns. */
export interface DatabaseShares {
  shareOf(max: number, of: 'statements' | 'transactions'): FairShare;
  expose(metrics: Metrics): void;
}

export function createDatabaseShares(): DatabaseShares {
  const shares = new Map<string, FairShare>();
  return {
    shareOf(max, of) {
      const reserve = Math.min(RESERVE, Math.floor(max / 2));
      const share = new FairShare({
        capacity: max,
        maxPerOrganization: max - reserve,
        reserve,
        smallShare: 1,
        maxWaitingPerOrganization: MAX_WAITING,
        maxWaitMs: MAX_WAIT_MS,
      });
      shares.set(`database ${of}`, share);
      return share;
    },
    expose(metrics) {
      for (const [resource, share] of shares) exposeShare(metrics, resource, share);
    },
  };
}
