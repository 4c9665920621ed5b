import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { OrganizationShare } from '../http/organization-share.ts';

/**
 * Limits concurrent queries over many hosts and series of many points, each of which needs a connection and memory; others
 * wait for their turn.
 */
export function createQueryShare(metrics: Metrics): OrganizationShare {
  return new OrganizationShare({
    resource: 'queries',
    metrics,
    reserve: 1,
    smallShare: 1,
    capacity: 4,
    maxPerOrganization: 2,
    maxWaitingPerOrganization: 200,
    maxWaitMs: 30_000,
  });
}
